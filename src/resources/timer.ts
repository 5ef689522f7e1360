/** The longest delay of a timer in milliseconds (24.8 days); Node takes a longer one for 1. */
export const maxTimerMs = 0x7fffffff;
