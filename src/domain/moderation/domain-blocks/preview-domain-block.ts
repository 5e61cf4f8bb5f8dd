import { statement } from '../../../platform/db/statement.ts'
import { isOfDomain } from '../../access/user-domain-blocks.ts'
import type { Read } from '../../context.ts'
import { parseDomain } from '../../domain-blocks/parse-domain.ts'

/** What is known of a domain and its subdomains, also of those with a block of their own. */
export interface DomainBlockPreview {
  /** Canonical. */
  domain: string
  accounts: number
  statuses: number
  /** Files of the remote media cache. */
  files: number
  fileBytes: number
  /** Follows by local users. */
  following: number
  /** Follows of local users. */
  followers: number
  /** Local users with at least one of these follows. */
  users: number
  /** Reports about accounts of the domain, also resolved ones. */
  reports: number
}

interface Counts {
  accounts: number
  statuses: number
  files: number
  file_bytes: string
  following: number
  followers: number
  users: number
  reports: number
}

const count = statement<{ params: { domain: string }; row: Counts; notNull: keyof Counts }>(
  `with of_domain as materialized (
     select a.id from accounts a
     where ${isOfDomain('a', '$domain')}
   ), files as (
     select c.byte_size from of_domain d join cached_files c on c.account_id = d.id where c.file_key is not null
     union all
     select c.byte_size from of_domain d join media_attachments m on m.account_id = d.id
       join cached_files c on c.media_id = m.id where c.file_key is not null
     union all
     select c.byte_size from custom_emojis em join cached_files c on c.emoji_id = em.id
     where c.file_key is not null and ('.' || em.domain) like ('%.' || $domain)
   ), local_follows as (
     select f.account_id as user_id, true as by_user from of_domain d join follows f on f.target_account_id = d.id
       join accounts a on a.id = f.account_id where a.domain is null
     union all
     select f.target_account_id, false from of_domain d join follows f on f.account_id = d.id
       join accounts a on a.id = f.target_account_id where a.domain is null
   )
   select (select count(*)::int from of_domain) as accounts,
     (select count(*)::int from of_domain d join statuses s on s.account_id = d.id where s.deleted_at is null)
       as statuses,
     (select count(*)::int from files) as files,
     (select coalesce(sum(byte_size), 0) from files) as file_bytes,
     (select count(*)::int from local_follows where by_user) as following,
     (select count(*)::int from local_follows where not by_user) as followers,
     (select count(distinct user_id)::int from local_follows) as users,
     (select count(*)::int from of_domain d join reports r on r.target_account_id = d.id) as reports`,
)

/** Returns what a block of a domain would affect, without changing anything. @throws ValidationError */
export async function previewDomainBlock(
  read: Read,
  { domain: input }: { domain: string },
): Promise<DomainBlockPreview> {
  const domain = parseDomain(input)
  const [row] = await count(read.db, { domain })
  const { file_bytes: fileBytes, ...counts } = row!
  return { domain, ...counts, fileBytes: Number(fileBytes) }
}
