/** Says why a value of an event is not shown, by its status. */
export const NO_VALUE_WORDS = {
  none: 'none',
  not_recorded: 'not recorded',
  gone: 'gone',
  unreadable: 'encrypted',
  hidden: 'hidden',
} as const;
