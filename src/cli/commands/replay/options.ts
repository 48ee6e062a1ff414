export interface ReplayOptions {
  readonly open?: string;
  readonly bundle?: string;
  readonly keep?: string;
  readonly json?: boolean;
}
