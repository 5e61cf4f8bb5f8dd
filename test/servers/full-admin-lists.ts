/** Inserts rows and returns their ids; the statement is the part before `from generate_series(1, count) n`. */
export type InsertRows = (count: number, insert: string) => Promise<string[]>

/** More than fit on a page. */
const ROWS = 210
/** Pages of domain blocks and allows are larger. */
const DOMAINS = 510

const INSERTS = {
  audit_log: `insert into audit_log_entries (action, target_type, label, created_at)
    select 'warn', 'account', 'walker' || n, now()`,
  ip_blocks: `insert into ip_blocks (ip, severity, comment, created_at)
    select ('203.0.113.' || n || '/32')::cidr, 'sign_up_block', '', now()`,
  email_domain_blocks: `insert into email_domain_blocks (domain, allow_with_approval, created_at)
    select 'trash' || n || '.test', false, now()`,
  canonical_email_blocks: `insert into canonical_email_blocks (email_hash, created_at)
    select sha256(n::text::bytea), now()`,
  username_blocks: `insert into username_blocks
      (username, normalized_username, comparison, allow_with_approval, created_at, updated_at)
    select 'name' || n, 'name' || n, 'equals', false, now(), now()`,
  relays: `insert into relays (inbox_url, created_at) select 'https://r' || n || '.test/inbox', now()`,
  domain_blocks: `insert into domain_blocks (domain) select 'b' || n || '.test'`,
  domain_allows: `insert into domain_allows (domain) select 'a' || n || '.test'`,
  'trends/links/publishers': `insert into preview_card_providers (domain) select 'publisher' || n || '.test'`,
} as const

type ListName = keyof typeof INSERTS | 'reports' | 'invites'

/** Ids by the path of a list after `/api/v1/admin/`, latest first. */
export type AdminLists = Record<ListName, string[]>

/** Inserts more rows than fit on a page into the lists of the admin API. */
export async function fillAdminLists(
  insertRows: InsertRows,
  { accountId, targetAccountId }: { accountId: string; targetAccountId: string },
): Promise<AdminLists> {
  const reports = `insert into reports (account_id, target_account_id) select ${accountId}, ${targetAccountId}`
  const invites = `insert into invites (code, user_id, autofollow, comment, created_at)
    select 'code' || n, (select id from users where account_id = ${accountId}), false, '', now()`
  const lists: Partial<AdminLists> = {}
  for (const [name, insert] of Object.entries({ ...INSERTS, reports, invites })) {
    const count = name.startsWith('domain_') ? DOMAINS : ROWS
    lists[name as ListName] = (await insertRows(count, insert)).toReversed()
  }
  return lists as AdminLists
}
