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

export interface EmailDomainBlockRow {
  id: string
  domain: string
  allow_with_approval: boolean
  created_at: Date
}

const COLUMNS = 'b.id, b.domain, b.allow_with_approval, b.created_at'
const KEYSET = keysetClause('b.id')

const find = statement<{ params: { id: string }; row: EmailDomainBlockRow }>(
  `select ${COLUMNS} from email_domain_blocks b where id = $id`,
)
const listDescending = statement<{ params: PageParameters; row: EmailDomainBlockRow }>(
  `select ${COLUMNS} from email_domain_blocks b where ${KEYSET.where} ${KEYSET.descending}`,
)
const listAscending = statement<{ params: PageParameters; row: EmailDomainBlockRow }>(
  `select ${COLUMNS} from email_domain_blocks b where ${KEYSET.where} ${KEYSET.ascending}`,
)
const insert = statement<{
  params: { domain: string; allowWithApproval: boolean; now: Date }
  row: EmailDomainBlockRow
}>(
  `insert into email_domain_blocks as b (domain, allow_with_approval, created_at)
   values ($domain, $allowWithApproval, $now) on conflict (domain) do nothing returning ${COLUMNS}`,
)
const remove = statement<{ params: { id: string }; row: { domain: string } }>(
  `delete from email_domain_blocks where id = $id returning domain`,
)

/** Returns a page of blocks, newest first. */
export async function listEmailDomainBlocks(read: Read, { page }: { page: Page }): Promise<EmailDomainBlockRow[]> {
  const params = pageParameters(page)
  return readKeysetPage(page, {
    descending: () => listDescending(read.db, params),
    ascending: () => listAscending(read.db, params),
  })
}

const findByDomains = statement<{ params: { domains: readonly string[] }; row: EmailDomainBlockRow }>(
  `select ${COLUMNS} from email_domain_blocks b where domain = any($domains::text[]) order by id`,
)

/** Returns the blocks of exactly these domains, in their canonical form. */
export async function findEmailDomainBlocks(
  read: Read,
  { domains }: { domains: readonly string[] },
): Promise<EmailDomainBlockRow[]> {
  return findByDomains(read.db, { domains })
}

/** Returns one block. @throws NotFoundError */
export async function getEmailDomainBlock(read: Read, { id }: { id: string }): Promise<EmailDomainBlockRow> {
  const [row] = isId(id) ? await find(read.db, { id }) : []
  if (!row) throw new NotFoundError()
  return row
}

/**
 * Blocks a domain for new e-mail addresses; those of existing users stay valid (Mastodon: POST
 * /api/v1/admin/email_domain_blocks).
 * @throws ValidationError for an invalid domain, and one that is blocked already
 */
export async function createEmailDomainBlock(
  tx: Tx,
  { by, domain: input, allowWithApproval }: { by: Actor; domain: string; allowWithApproval: boolean },
): Promise<EmailDomainBlockRow> {
  const attribute = 'domain'
  if (input.trim() === '') throw new ValidationError([{ attribute, code: 'ERR_BLANK', text: "can't be blank" }])
  const domain = canonicalDomain(input)
  if (domain === null) throw new ValidationError([{ attribute, code: 'ERR_INVALID', text: 'is invalid' }])
  const [block] = await insert(tx.db, { domain, allowWithApproval, now: tx.now })
  if (!block) throw new ValidationError([{ attribute, code: 'ERR_TAKEN', text: 'has already been taken' }])
  await recordAuditEntry(tx, {
    by,
    action: 'create',
    targetType: 'email_domain_block',
    targetId: block.id,
    label: domain,
    details: { allow_with_approval: allowWithApproval },
  })
  return block
}

/** Deletes a block (Mastodon: DELETE /api/v1/admin/email_domain_blocks/:id). @throws NotFoundError */
export async function deleteEmailDomainBlock(tx: Tx, { id, by }: { id: string; by: Actor }): Promise<void> {
  const [block] = isId(id) ? await remove(tx.db, { id }) : []
  if (!block) throw new NotFoundError()
  const { domain: label } = block
  await recordAuditEntry(tx, { by, action: 'delete', targetType: 'email_domain_block', targetId: id, label })
}
