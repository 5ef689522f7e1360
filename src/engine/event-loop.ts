/** Lets the event loop have a turn, in browsers and in Node, without the delay that timers are clamped to. */

declare const setImmediate: ((callback: () => void) => unknown) | undefined;

export function yieldToEventLoop(): Promise<void> {
  return new Promise((resolve) => {
    if (typeof setImmediate === "function") {
      setImmediate(resolve);
      return;
    }
    const channel = new MessageChannel();
    channel.port1.onmessage = () => {
      channel.port1.close();
      resolve();
    };
    channel.port2.postMessage(null);
  });
}
