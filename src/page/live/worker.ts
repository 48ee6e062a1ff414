import { Hub } from './hub.js';
import type { Wish } from './messages.js';

/* All tabs of this browser share it, and so share the connection. */
const hub = new Hub();
const known = new Set<string>();

addEventListener('connect', (event) => {
  const [port] = (event as MessageEvent).ports;
  if (!port) return;
  port.addEventListener('message', ({ data }: MessageEvent<Wish>) => {
    hub.wish(data, (news) => port.postMessage(news));
    if (known.has(data.tab)) return;
    known.add(data.tab);
    // A tab holds its lock as long as it is open, also when it ends without a word.
    void navigator.locks.request(data.tab, () => {
      known.delete(data.tab);
      hub.leave(data.tab);
    });
  });
  port.start();
});
