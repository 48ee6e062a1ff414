/** A time or a duration as the service gives it: the seconds are a 64-bit integer, as an object. */
export interface ProtoTime {
  readonly seconds?: unknown;
  readonly nanos?: number | null;
}

/** In milliseconds; nothing where there is none. */
export function protoMilliseconds(time: ProtoTime | null | undefined): number | undefined {
  return time ? Number(time.seconds ?? 0) * 1_000 + Math.floor((time.nanos ?? 0) / 1_000_000) : undefined;
}
