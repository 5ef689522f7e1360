/** The word for what is kept from a reader, the same in results, records and masks. */

/** What stands in the place of a text, or of any value in a record. */
export const redactedText = "[redacted]";
