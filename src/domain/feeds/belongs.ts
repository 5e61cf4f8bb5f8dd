import { domainsOf } from '../relationships/domain-blocking.ts'
import { isOwnTalk } from '../statuses/own-talk.ts'

// Whether a status comes into a feed. A post meets many people at once, and a person many posts (when they follow
// somebody, or come back): both ask the same, here, as SQL.

/** Somebody who was not here for so long has no feeds until they come back. */
const FEEDS_KEPT_DAYS = 30

/** What counts of a status: parameters where one status meets many people, columns where one person meets many. */
export interface Traits {
  isBoost: string
  /** Of what is boosted, where it is a boost. Null: not known. */
  language: string
  /** Whether it answers nobody but its author. */
  isOwnTalk: string
  /** Whom it answers. Null: nobody, or somebody who is not known here. */
  repliedToId: string
  /** An array of those whom a direct status names. Null: it is no direct one. */
  named: string
  /** An array of those who wrote it, who are boosted by it, or whom it mentions. */
  people: string
  /** An array of those who wrote it, or are boosted by it. */
  authors: string
  /** An array of their domains, and all above these. */
  domains: string
}

/** Statuses `s` with what they boost, `o`, and the traits that are no columns of theirs. */
export const STORED_STATUSES = `statuses s left join statuses o on o.id = s.reblog_of_id, lateral (
  select array[s.account_id, o.account_id] as authors,
    array[s.account_id, o.account_id]
      || array(select m.account_id from mentions m where m.status_id = coalesce(o.id, s.id) and not m.silent) as people,
    case when s.visibility = 'direct'
      then array(select m.account_id from mentions m where m.status_id = s.id) end as named,
    array(
      select above.name from accounts a, unnest(${domainsOf('a')}) above (name)
      where a.id = any(array[s.account_id, o.account_id]) and a.domain is not null) as domains
) involved`

/** The traits of `STORED_STATUSES`. */
export const STORED: Traits = {
  isBoost: '(s.reblog_of_id is not null)',
  language: 'coalesce(o.language, s.language)',
  isOwnTalk: isOwnTalk(),
  repliedToId: 's.in_reply_to_account_id',
  named: 'involved.named',
  people: 'involved.people',
  authors: 'involved.authors',
  domains: 'involved.domains',
}

/** Whether nothing between a person and those who had to do with a status keeps it from them. */
export function isWelcome(
  reader: string,
  { named, people, authors, domains }: Pick<Traits, 'named' | 'people' | 'authors' | 'domains'>,
): string {
  return `((${named}::bigint[] is null or ${reader} = any(${named}::bigint[]))
    and not exists (select from blocks b where b.account_id = ${reader} and b.target_account_id = any(${people}::bigint[]))
    and not exists (select from blocks b where b.target_account_id = ${reader} and b.account_id = any(${authors}::bigint[]))
    and not exists (select from mutes m where m.account_id = ${reader} and m.target_account_id = any(${people}::bigint[])
      and (m.expires_at is null or m.expires_at > now()))
    and not exists (
      select from account_domain_blocks d where d.account_id = ${reader} and d.domain = any(${domains}::text[])))`
}

/** Whether somebody wanted such statuses when they followed the author. `f`: an alias with the terms of the follow. */
export function isOnTerms(f: string, { isBoost, language }: Pick<Traits, 'isBoost' | 'language'>): string {
  return `((not ${isBoost}::boolean or ${f}.show_reblogs)
    and (${f}.languages is null or ${language}::text is null or ${language}::text = any(${f}.languages)))`
}

// The offset keeps the planner from gathering all who follow somebody, who may be very many.
const follows = (reader: string, target: string) =>
  `exists (select from follows t where t.account_id = ${reader} and t.target_account_id = ${target}::bigint offset 0)`

/** Whether a person knows both sides of the talk that a status is part of. */
export function isInTalk(reader: string, { isOwnTalk: own, repliedToId }: Traits): string {
  return `(${own}::boolean or ${repliedToId}::bigint = ${reader} or ${follows(reader, repliedToId)})`
}

/** The same for a list, by its own policy. `l`: an alias with the list's id, owner and policy. */
export function isInTalkOfList(l: string, { isOwnTalk: own, repliedToId }: Traits): string {
  return `(${own}::boolean or ${repliedToId}::bigint = ${l}.account_id
    or (${l}.replies_policy = 'followed' and ${follows(`${l}.account_id`, repliedToId)})
    or (${l}.replies_policy = 'list' and exists (
      select from list_accounts t where t.list_id = ${l}.id and t.account_id = ${repliedToId}::bigint offset 0)))`
}

/** Whether one of the person's own lists keeps somebody out of their home feed. */
export function isKeptOut(reader: string, person: string): string {
  return `exists (
    select from list_accounts la join lists l on l.id = la.list_id
    where la.account_id = ${person} and l.account_id = ${reader} and l.exclusive)`
}

/** People whose feeds are written: those who were here lately. `u`: an alias of `users`. */
export function isSeenLately(u = 'u'): string {
  return `${u}.last_seen_at > now() - interval '${FEEDS_KEPT_DAYS} days'`
}
