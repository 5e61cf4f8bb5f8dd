import { statement } from '../../platform/db/statement.ts'
import { hasRemoteDomain } from '../accounts/remote/former-handle.ts'
import type { Read } from '../context.ts'

/** What this server stores of a domain, without its subdomains. */
export interface DomainStats {
  domain: string
  accounts: number
  statuses: number
  /** Follows by local users. */
  following: number
  /** Follows of local users. */
  followers: number
  /** The size of its files in the remote media cache. */
  mediaBytes: number
  pendingDeliveries: number
  /** Since when the host gets no deliveries, because they failed on seven days; null: it gets them. */
  unavailableSince: Date | null
  lastError: string | null
}

type StatsRow = Omit<DomainStats, 'mediaBytes'> & { mediaBytes: string }

/** `domains`: a query for the domains, in the column `domain`. */
const select = (domains: string) =>
  statement<{ params: { domains: readonly string[] | null; limit: number }; row: StatsRow; notNull: keyof StatsRow }>(
    `with listed as (${domains})
     select l.domain, l.accounts,
       (select count(*)::int from accounts a join statuses s on s.account_id = a.id
         where a.domain = l.domain and s.deleted_at is null) as statuses,
       (select count(*)::int from accounts a join follows f on f.target_account_id = a.id
         join accounts follower on follower.id = f.account_id
         where a.domain = l.domain and follower.domain is null) as following,
       (select count(*)::int from accounts a join follows f on f.account_id = a.id
         join accounts followed on followed.id = f.target_account_id
         where a.domain = l.domain and followed.domain is null) as followers,
       ((select coalesce(sum(c.byte_size), 0) from accounts a join cached_files c on c.account_id = a.id
         where a.domain = l.domain)
       + (select coalesce(sum(c.byte_size), 0) from accounts a join media_attachments m on m.account_id = a.id
         join cached_files c on c.media_id = m.id where a.domain = l.domain)
       + (select coalesce(sum(c.byte_size), 0) from custom_emojis e join cached_files c on c.emoji_id = e.id
         where e.domain = l.domain)) as "mediaBytes",
       (select count(*)::int from deliveries d where d.domain = l.domain and d.state = 'pending')
         as "pendingDeliveries",
       h.unreachable_since as "unavailableSince", h.last_error as "lastError"
     from listed l left join hosts h on h.domain = l.domain order by l.accounts desc, l.domain`,
  )
const ofAccounts = (where: string) =>
  `select domain, count(*)::int as accounts from accounts where ${where} group by domain
   order by accounts desc, domain limit $limit`
const listLargest = select(ofAccounts(`${hasRemoteDomain('accounts')} and $domains::text[] is null`))
const find = select(ofAccounts('domain = any($domains::text[])'))

/** Returns the domains with the most known accounts. */
export async function listDomainStats(read: Read, { limit }: { limit: number }): Promise<DomainStats[]> {
  return (await listLargest(read.db, { domains: null, limit })).map(statsOf)
}

/** Returns what is stored of these domains. Domains without known accounts are omitted. */
export async function findDomainStats(read: Read, { domains }: { domains: readonly string[] }): Promise<DomainStats[]> {
  return (await find(read.db, { domains, limit: domains.length })).map(statsOf)
}

function statsOf({ mediaBytes, ...stats }: StatsRow): DomainStats {
  return { ...stats, mediaBytes: Number(mediaBytes) }
}
