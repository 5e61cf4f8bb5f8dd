import { domainsOfAccount } from './user-domain-blocks.ts'
import { isRootOrSelfReply } from './is-root-or-self-reply.ts'

// SQL conditions: whether a status is eligible for a feed. Fan-out checks one status for many users; a backfill (after
// a follow, or the return of an inactive user) checks many statuses for one user. Both use these conditions.

/** Days of inactivity after which a user has no feeds until they are active again. */
const FEED_RETENTION_DAYS = 30

/**
 * SQL expressions of a status's attributes: parameters for one status and many users, columns for many statuses and one
 * user.
 */
export interface StatusAttributes {
  isReblog: string
  /** Of a reblog, the language of the reblogged status. Null: unknown. */
  language: string
  /** Whether it replies to no other account. */
  isRootOrSelfReply: string
  /** The account that it replies to. Null: none, or an unknown one. */
  repliedToId: string
  /** An array of the accounts that a direct status mentions. Null: it is not direct. */
  directRecipientIds: string
  /** An array of its author, the author of the status that it reblogs, and the accounts that it mentions. */
  involvedIds: string
  /** An array of its author and the author of the status that it reblogs. */
  authorIds: string
  /** An array of the domains of these authors, with all parent domains. */
  domains: string
  /** Whether a block, mute or domain block of any user may hide it. Undefined: unknown, so each reader is checked. */
  isHiddenFromSome?: string
}

/** Statuses `s` with the statuses `o` that they reblog, and the attributes that are not columns. */
export const STATUSES_WITH_ATTRIBUTES = `statuses s left join statuses o on o.id = s.reblog_of_id, lateral (
  select array[s.account_id, o.account_id] as author_ids,
    array[s.account_id, o.account_id]
      || array(select m.account_id from mentions m where m.status_id = coalesce(o.id, s.id) and not m.silent) as involved_ids,
    case when s.visibility = 'direct'
      then array(select m.account_id from mentions m where m.status_id = s.id) end as direct_recipient_ids,
    array(
      select host.name from accounts a, unnest(${domainsOfAccount('a')}) host (name)
      where a.id = any(array[s.account_id, o.account_id]) and a.domain is not null) as domains
) involved`

/** The attributes of `STATUSES_WITH_ATTRIBUTES`. */
export const STORED_ATTRIBUTES: StatusAttributes = {
  isReblog: '(s.reblog_of_id is not null)',
  language: 'coalesce(o.language, s.language)',
  isRootOrSelfReply: isRootOrSelfReply(),
  repliedToId: 's.in_reply_to_account_id',
  directRecipientIds: 'involved.direct_recipient_ids',
  involvedIds: 'involved.involved_ids',
  authorIds: 'involved.author_ids',
  domains: 'involved.domains',
}

/**
 * Returns the condition that no block, mute or domain block hides a status from a user (`reader`), who is a recipient
 * if it is direct.
 */
export function isNotBlockedOrMuted(
  reader: string,
  {
    directRecipientIds,
    involvedIds,
    authorIds,
    domains,
    isHiddenFromSome,
  }: Pick<StatusAttributes, 'directRecipientIds' | 'involvedIds' | 'authorIds' | 'domains' | 'isHiddenFromSome'>,
): string {
  const isNotHidden = `(not exists (select from blocks b where b.account_id = ${reader} and b.target_account_id = any(${involvedIds}::bigint[]))
    and not exists (select from blocks b where b.target_account_id = ${reader} and b.account_id = any(${authorIds}::bigint[]))
    and not exists (select from mutes m where m.account_id = ${reader} and m.target_account_id = any(${involvedIds}::bigint[])
      and (m.expires_at is null or m.expires_at > now()))
    and not exists (
      select from account_domain_blocks d where d.account_id = ${reader} and d.domain = any(${domains}::text[])))`
  return `((${directRecipientIds}::bigint[] is null or ${reader} = any(${directRecipientIds}::bigint[]))
    and ${isHiddenFromSome === undefined ? isNotHidden : `(not ${isHiddenFromSome} or ${isNotHidden})`})`
}

/**
 * SQL for `isHiddenFromSome` of `STATUSES_WITH_ATTRIBUTES`. Most authors are blocked and muted by nobody, so that one
 * check for the status replaces those for each reader.
 */
export const IS_HIDDEN_FROM_SOME = `(
    exists (select from blocks b where b.target_account_id = any(involved.involved_ids) offset 0)
    or exists (select from blocks b where b.account_id = any(involved.author_ids) offset 0)
    or exists (select from mutes m where m.target_account_id = any(involved.involved_ids) offset 0)
    or exists (select from account_domain_blocks d where d.domain = any(involved.domains) offset 0))`

/**
 * Returns the condition that a status matches the options of a follow (reblogs, languages). `f`: the alias of the
 * follow.
 */
export function matchesFollowOptions(
  f: string,
  { isReblog, language }: Pick<StatusAttributes, 'isReblog' | 'language'>,
): string {
  return `((not ${isReblog}::boolean or ${f}.show_reblogs)
    and (${f}.languages is null or ${language}::text is null or ${language}::text = any(${f}.languages)))`
}

// `offset 0` keeps the planner from reading all followers of an account, which may be very many.
const follows = (reader: string, target: string) =>
  `exists (select from follows t where t.account_id = ${reader} and t.target_account_id = ${target}::bigint offset 0)`

/**
 * Returns the condition that a status is not a reply, or that the user follows the account that it replies to, or is
 * it.
 */
export function isReplyEligible(
  reader: string,
  { isRootOrSelfReply: rootOrSelfReply, repliedToId }: StatusAttributes,
): string {
  return `(${rootOrSelfReply}::boolean or ${repliedToId}::bigint = ${reader} or ${follows(reader, repliedToId)})`
}

/** Returns the same condition for a list, by its replies policy. `l`: an alias with the list's id, owner and policy. */
export function isReplyEligibleInList(
  l: string,
  { isRootOrSelfReply: rootOrSelfReply, repliedToId }: StatusAttributes,
): string {
  return `(${rootOrSelfReply}::boolean or ${repliedToId}::bigint = ${l}.account_id
    or (${l}.replies_policy = 'followed' and ${follows(`${l}.account_id`, repliedToId)})
    or (${l}.replies_policy = 'list' and exists (
      select from list_accounts t where t.list_id = ${l}.id and t.account_id = ${repliedToId}::bigint offset 0)))`
}

/** Returns the condition that an exclusive list of the user keeps an author out of the home feed. */
export function isExcludedByList(reader: string, author: string): string {
  return `exists (
    select from list_accounts la join lists l on l.id = la.list_id
    where la.account_id = ${author} and l.account_id = ${reader} and l.exclusive)`
}

/** Returns the condition that a user was active recently, and therefore has feeds. `u`: an alias of `users`. */
export function isActiveUser(u = 'u'): string {
  return `${u}.last_seen_at > now() - interval '${FEED_RETENTION_DAYS} days'`
}
