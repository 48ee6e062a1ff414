/** Names the button that cancels an operation, the same in all views. */
export function cancelOffer(isRefused: boolean, label = 'Cancel the operation'): string {
  return isRefused ? 'Ask again to cancel' : label;
}
