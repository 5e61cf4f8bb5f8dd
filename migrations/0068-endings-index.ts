/**
 * A Follow, a Block or an Accept cancels pending Undos and Rejects of the account that sends it. The index contains only
 * these activities, so storing others costs only the check of its condition.
 */
export const concurrentIndexes = [
  `create index concurrently if not exists sent_activities_endings on sent_activities (account_id)
   where uri like '%#follows/%/undo' or uri like '%#blocks/%/undo' or uri like '%#rejects/follows/%'`,
]
