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
  announcements: `insert into announcements (text, content) select 'A' || n, ''`,
  custom_emojis: `insert into custom_emojis (shortcode) select 'emoji' || n`,
  username_blocks: `insert into username_blocks
      (username, normalized_username, comparison, allow_with_approval, created_at, updated_at)
    select 'name' || n, 'name' || n, 'equals', false, now(), now()`,
  relays: `insert into relays (inbox_url, created_at) select 'https://r' || n || '.test/inbox', now()`,
  domain_blocks: `insert into domain_blocks (domain) select 'b' || n || '.test'`,
  domain_block_imports: `insert into domain_block_imports (created_at) select now()`,
  domain_allows: `insert into domain_allows (domain) select 'a' || n || '.test'`,
  warning_presets: `insert into account_warning_presets (text, created_at, updated_at) select 'Text ' || n, now(), now()`,
  webhooks: `insert into webhooks (url, events, enabled, encrypted_secret, created_at, updated_at)
    select 'https://hooks.example/' || n, '{status.created}', true, '', now(), now()`,
  'webhooks/{id}/deliveries': `insert into webhook_deliveries
      (webhook_id, event, occurrence, body, max_attempts, created_at)
    select (select max(id) from webhooks), 'status.created', n, '{}', 1, now()`,
  mails: `insert into mails (key, recipient, subject, text, html)
    select 'mail' || n, 'm' || n || '@mail.test', 'Hello', '', ''`,
  'trends/links/publishers': `insert into preview_card_providers (domain) select 'publisher' || n || '.test'`,
} as const

type ListName =
  | keyof typeof INSERTS
  | 'reports'
  | 'invites'
  | 'accounts/{id}/strikes'
  | 'appeals'
  | 'accounts/{id}/notes'
  | 'reports/{id}/notes'

/** Ids by the path of a list after `/api/v1/admin/`, latest first. */
export type AdminLists = Record<ListName, string[]>

/** Inserts more rows than fit on a page into the lists of the admin API. */
export async function fillAdminLists(
  insertRows: InsertRows,
  { accountId, targetAccountId }: { accountId: string; targetAccountId: string },
): Promise<AdminLists> {
  const reports = `insert into reports (account_id, target_account_id) select ${accountId}, ${targetAccountId}`
  const strikes = `insert into account_warnings (target_account_id, action) select ${accountId}, 'none'`
  const appeals = `insert into appeals (warning_id, text, created_at)
    select (select id from account_warnings order by id limit 1 offset n - 1), 'Text ' || n, now()`
  const invites = `insert into invites (code, user_id, autofollow, comment, created_at)
    select 'code' || n, (select id from users where account_id = ${accountId}), false, '', now()`
  const lists: Partial<AdminLists> = {}
  const inserts = { ...INSERTS, reports, invites, 'accounts/{id}/strikes': strikes, appeals }
  for (const [name, insert] of Object.entries(inserts)) {
    const count = name.startsWith('domain_') ? DOMAINS : ROWS
    lists[name as ListName] = (await insertRows(count, insert)).toReversed()
  }
  const notesOn = (table: string, column: string, id: string) =>
    insertRows(ROWS, `insert into ${table} (${column}, content) select ${id}, 'Note ' || n`)
  const accountNotes = await notesOn('account_moderation_notes', 'target_account_id', accountId)
  lists['accounts/{id}/notes'] = accountNotes.toReversed()
  const reportNotes = await notesOn('report_notes', 'report_id', lists.reports![0]!)
  lists['reports/{id}/notes'] = reportNotes.toReversed()
  return lists as AdminLists
}

/** Inserts more rows than fit on a page into an imported list of domain blocks. Returns their ids, first first. */
export async function fillImport(
  insertRows: InsertRows,
  { importId }: { importId: string },
): Promise<{ importId: string; drafts: string[] }> {
  const drafts = await insertRows(
    DOMAINS,
    `insert into domain_block_import_rows (import_id, line, domain, severity, reject_media, reject_reports,
       public_comment, obfuscate, status, weakens, accounts_count, follows_count)
     select ${importId}, n, 'i' || n || '.test', 'suspend', false, false, '', false, 'new', false, 0, 0`,
  )
  return { importId, drafts: drafts.toReversed() }
}
