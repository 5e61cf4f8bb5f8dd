import { typesWith } from './notification-types.ts'
import { isFromStaff } from './eligibility.ts'

/** The age of a follow from which the policy counts its account as a follower. */
const FOLLOWER_DAYS = 3

/** The age up to which the policy counts an account as new. */
const NEW_DAYS = 30

/** The maximum number of ancestors in which a status of the recipient is searched. */
const MAX_DEPTH = 40

const POLICY_ACTIONS = ['accept', 'filter', 'drop'] as const
export type PolicyAction = (typeof POLICY_ACTIONS)[number]

/** The policy of accounts without a stored one. */
export const DEFAULT_POLICY = {
  for_not_following: 'accept',
  for_not_followers: 'accept',
  for_new_accounts: 'accept',
  for_private_mentions: 'filter',
  for_limited_accounts: 'filter',
  for_bots: 'accept',
} as const satisfies Record<string, PolicyAction>

export type PolicyCategory = keyof typeof DEFAULT_POLICY

// SQL condition: an ancestor of the status is by the recipient and mentions the sender.
const answersRecipient = `exists (
  with recursive chain (id, depth) as (
    select s.in_reply_to_id, 1 from statuses s where s.id = cause.status_id
    union all
    select s.in_reply_to_id, chain.depth + 1 from chain join statuses s on s.id = chain.id where chain.depth < ${MAX_DEPTH}
  )
  select from chain join statuses own on own.id = chain.id and own.account_id = a.id
    join mentions m on m.status_id = own.id and m.account_id = sender.id)`
const isDirect = `exists (select from statuses s where s.id = cause.status_id and s.visibility = 'direct')`

/**
 * SQL conditions: the sender belongs to the category. Accounts that the recipient follows belong to no category except
 * `for_not_followers`.
 */
const CATEGORY_CONDITIONS: Record<PolicyCategory, string> = {
  for_not_following: `not followed.yes`,
  for_not_followers: `not exists (select from follows f where f.account_id = sender.id and f.target_account_id = a.id
    and f.created_at <= $now::timestamptz - interval '${FOLLOWER_DAYS} days')`,
  for_new_accounts: `not followed.yes and sender.created_at > $now::timestamptz - interval '${NEW_DAYS} days'`,
  for_private_mentions: `not followed.yes and $kind = any('{mention,quote}') and ${isDirect} and not ${answersRecipient}`,
  for_limited_accounts: `not followed.yes and sender.silenced_at is not null`,
  for_bots: `not followed.yes and sender.actor_type in ('Service', 'Application')`,
}

const decisions = (Object.keys(CATEGORY_CONDITIONS) as PolicyCategory[]).map((category) => {
  const chosen = `coalesce(policy.${category}, '${DEFAULT_POLICY[category]}')`
  return `case when ${chosen} <> 'accept' and ${CATEGORY_CONDITIONS[category]} then ${chosen} end`
})

/**
 * SQL for the decisions of the recipient's policy about an eligible notification: null, or an array with the action of
 * each category that the sender belongs to. Uses the aliases and parameters of `isEligible`, and `policy` for the
 * recipient's left-joined policy.
 */
export const policyDecisions = `case when $kind = any('{${typesWith('filterable').join(',')}}') and not ${isFromStaff}
    and not exists (select from notification_permissions allowed
      where allowed.account_id = a.id and allowed.from_account_id = sender.id)
  then (select array[${decisions.join(',\n    ')}]
    from (select exists (
      select from follows f where f.account_id = a.id and f.target_account_id = sender.id) as yes) followed) end`
