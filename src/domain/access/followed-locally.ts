/**
 * SQL condition: a local account follows the account with the id `account`, or has requested to. Another server may
 * send posts of the account right after its Accept of the request, and both are processed at the same time. The posts
 * are then stored, and reach the follower's feed with the Accept.
 */
export const isFollowedLocally = (account: string): string => `(exists (
  select from follows f join accounts l on l.id = f.account_id
  where f.target_account_id = ${account} and l.domain is null) or exists (
  select from follow_requests r join accounts l on l.id = r.account_id
  where r.target_account_id = ${account} and l.domain is null))`
