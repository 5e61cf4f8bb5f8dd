import { createHash } from 'node:crypto'
import { NotFoundError, ValidationError } from '../../lib/errors.ts'
import { isId } from '../../lib/ids.ts'
import type { Page } from '../../lib/page.ts'
import { canonicalDomain } from '../../lib/usernames.ts'
import { statement } from '../../platform/db/statement.ts'
import type { Read, Tx } from '../context.ts'
import { keysetClause, pageParameters, readKeysetPage } from '../core/keyset-page.ts'
import type { PageParameters } from '../core/keyset-page.ts'
import { recordAuditEntry } from '../core/record-audit-entry.ts'
import type { Actor } from '../core/record-audit-entry.ts'

const MAX_EMAIL_CHARACTERS = 320

export interface CanonicalEmailBlockRow {
  id: string
  email_hash: Buffer
}

const KEYSET = keysetClause('b.id')

const find = statement<{ params: { id: string }; row: CanonicalEmailBlockRow }>(
  `select id, email_hash from canonical_email_blocks where id = $id`,
)
const findByHash = statement<{ params: { emailHash: Buffer }; row: CanonicalEmailBlockRow }>(
  `select id, email_hash from canonical_email_blocks where email_hash = $emailHash`,
)
const listDescending = statement<{ params: PageParameters; row: CanonicalEmailBlockRow }>(
  `select b.id, b.email_hash from canonical_email_blocks b where ${KEYSET.where} ${KEYSET.descending}`,
)
const listAscending = statement<{ params: PageParameters; row: CanonicalEmailBlockRow }>(
  `select b.id, b.email_hash from canonical_email_blocks b where ${KEYSET.where} ${KEYSET.ascending}`,
)
const insert = statement<{ params: { emailHash: Buffer; now: Date }; row: CanonicalEmailBlockRow }>(
  `insert into canonical_email_blocks (email_hash, created_at) values ($emailHash, $now)
   on conflict (email_hash) do nothing returning id, email_hash`,
)
const remove = statement<{ params: { id: string }; row: { email_hash: Buffer } }>(
  `delete from canonical_email_blocks where id = $id returning email_hash`,
)

/** Returns a page of blocks, newest first. */
export async function listCanonicalEmailBlocks(
  read: Read,
  { page }: { page: Page },
): Promise<CanonicalEmailBlockRow[]> {
  const params = pageParameters(page)
  return readKeysetPage(page, {
    descending: () => listDescending(read.db, params),
    ascending: () => listAscending(read.db, params),
  })
}

/** Returns one block. @throws NotFoundError */
export async function getCanonicalEmailBlock(read: Read, { id }: { id: string }): Promise<CanonicalEmailBlockRow> {
  const [row] = isId(id) ? await find(read.db, { id }) : []
  if (!row) throw new NotFoundError()
  return row
}

/** Returns the blocks of an address (Mastodon: POST /api/v1/admin/canonical_email_blocks/test). */
export async function findCanonicalEmailBlocks(
  read: Read,
  { email }: { email: string },
): Promise<CanonicalEmailBlockRow[]> {
  const emailHash = hashCanonically(email)
  return emailHash === null ? [] : findByHash(read.db, { emailHash })
}

/** Returns whether a block refuses a new address. */
export async function isBlockedCanonically(read: Read, { email }: { email: string }): Promise<boolean> {
  return (await findCanonicalEmailBlocks(read, { email })).length > 0
}

/**
 * Blocks an address, given itself or as a hash in hexadecimal digits, for new users (Mastodon: POST
 * /api/v1/admin/canonical_email_blocks).
 * @throws ValidationError for an invalid address or hash, and one that is blocked already
 */
export async function createCanonicalEmailBlock(
  tx: Tx,
  { by, email, hash }: { by: Actor; email?: string | undefined; hash?: string | undefined },
): Promise<CanonicalEmailBlockRow> {
  const attribute = email === undefined ? 'canonical_email_hash' : 'email'
  if ((email ?? hash ?? '').trim() === '')
    throw new ValidationError([{ attribute, code: 'ERR_BLANK', text: "can't be blank" }])
  const emailHash = email === undefined ? parseHash(hash!) : hashCanonically(email)
  if (emailHash === null) throw new ValidationError([{ attribute, code: 'ERR_INVALID', text: 'is invalid' }])
  const [block] = await insert(tx.db, { emailHash, now: tx.now })
  if (!block) throw new ValidationError([{ attribute, code: 'ERR_TAKEN', text: 'has already been taken' }])
  await record(tx, { by, action: 'create', ...block })
  return block
}

/** Deletes a block (Mastodon: DELETE /api/v1/admin/canonical_email_blocks/:id). @throws NotFoundError */
export async function deleteCanonicalEmailBlock(tx: Tx, { id, by }: { id: string; by: Actor }): Promise<void> {
  const [block] = isId(id) ? await remove(tx.db, { id }) : []
  if (!block) throw new NotFoundError()
  await record(tx, { by, action: 'delete', id, ...block })
}

const findEmail = statement<{ params: { accountId: string }; row: { email: string } }>(
  `select email from users where account_id = $accountId`,
)
const insertForAccount = statement<{ params: { emailHash: Buffer; accountId: string; now: Date } }>(
  `insert into canonical_email_blocks (email_hash, account_id, created_at) values ($emailHash, $accountId, $now)
   on conflict (email_hash) do nothing`,
)
const removeOfAccount = statement<{ params: { accountId: string } }>(
  `delete from canonical_email_blocks where account_id = $accountId`,
)

/** Blocks the address of a suspended user for new users, also after the user was deleted. */
export async function blockEmailOfAccount(tx: Tx, { accountId }: { accountId: string }): Promise<void> {
  const [user] = await findEmail(tx.db, { accountId })
  const emailHash = user ? hashCanonically(user.email) : null
  if (emailHash !== null) await insertForAccount(tx.db, { emailHash, accountId, now: tx.now })
}

/** Ends the block that `blockEmailOfAccount` created. A block by the staff stays. */
export async function unblockEmailOfAccount(tx: Tx, { accountId }: { accountId: string }): Promise<void> {
  await removeOfAccount(tx.db, { accountId })
}

/**
 * Returns the SHA-256 hash of the form that all spellings of an address share at most providers: in lower case, without
 * dots and `+tag` in the local part. Null for a text that is no address.
 */
function hashCanonically(email: string): Buffer | null {
  if (email.length > MAX_EMAIL_CHARACTERS) return null
  const address = email.trim().toLowerCase()
  const at = address.lastIndexOf('@')
  const domain = at < 1 ? null : canonicalDomain(address.slice(at + 1))
  if (domain === null) return null
  const localPart = address.slice(0, at).replaceAll('.', '').split('+')[0]!
  return createHash('sha256').update(`${localPart}@${domain}`).digest()
}

function parseHash(text: string): Buffer | null {
  return /^[0-9a-f]{64}$/i.test(text.trim()) ? Buffer.from(text.trim(), 'hex') : null
}

async function record(
  tx: Tx,
  { by, action, id, email_hash: emailHash }: { by: Actor; action: 'create' | 'delete'; id: string; email_hash: Buffer },
): Promise<void> {
  const label = emailHash.toString('hex')
  await recordAuditEntry(tx, { by, action, targetType: 'canonical_email_block', targetId: id, label })
}
