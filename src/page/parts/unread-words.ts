/** Says why an entity of an explanation could not be read. */
export const UNREAD = {
  absent: 'does not exist, or not yet',
  no_answer: 'no worker answers for it',
  unborn: 'has not been created yet',
  failed: 'cannot be read: its code fails',
  ended: 'its workflow was terminated by an operator',
  unknown_type: 'its declaration is not known here',
  limit: 'not read: there are too many',
  hidden: 'does not exist, or you may not read it',
} as const;
