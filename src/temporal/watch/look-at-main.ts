import { Session, type Debugger } from 'node:inspector';
import { basename } from 'node:path';

/** The global function that tells for which call the code runs. */
export const CURRENT_CALL = '__reeve_current_call__';
/** How often the main thread says that it does not stand still, in milliseconds. */
export const TICK_MS = 100;

/**
 * Looks from another thread at the code that keeps the main thread busy: V8's debugger can look into code that never gives way. Code that
 * waits outside of JavaScript is seen when it comes back.
 * @param tell is told what `CURRENT_CALL` gives, and where the code is: `crunch (resources.js:12)`
 * @param end is called when the look is over
 */
export function lookAtMain(tell: (call: unknown, at: string) => void, end: () => void): void {
  const session = new Session();
  session.connectToMainThread();
  const leave = () => {
    session.disconnect();
    end();
  };
  // A frame names its script by a number.
  const urls = new Map<string, string>();
  session.on('Debugger.scriptParsed', ({ params: { scriptId, url } }) => urls.set(scriptId, url));
  session.once('Debugger.paused', ({ params: { callFrames } }) => {
    const [top] = callFrames;
    if (!top) return leave();
    const question = { callFrameId: top.callFrameId, expression: `${CURRENT_CALL}()`, returnByValue: true };
    session.post('Debugger.evaluateOnCallFrame', question, (_, answer?: Debugger.EvaluateOnCallFrameReturnType) => {
      const urlOf = ({ location }: Debugger.CallFrame) => urls.get(location.scriptId) ?? '';
      // Where it is in code of Node itself, what has called that says more.
      const place = callFrames.find((frame) => !urlOf(frame).startsWith('node:')) ?? top;
      tell(answer?.result.value, placeOf(place, urlOf(place)));
      session.post('Debugger.resume', () => session.post('Debugger.disable', leave));
    });
  });
  session.post('Debugger.enable', () => session.post('Debugger.pause'));
}

function placeOf({ functionName, location }: Debugger.CallFrame, url: string): string {
  return `${functionName || 'a function'} (${basename(url)}:${location.lineNumber + 1})`;
}
