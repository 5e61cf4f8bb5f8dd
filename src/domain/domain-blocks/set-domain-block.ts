import { NotFoundError, ValidationError } from '../../lib/errors.ts'
import { isId } from '../../lib/ids.ts'
import { cleanText } from '../../lib/text/clean-text.ts'
import { statement } from '../../platform/db/statement.ts'
import type { Tx } from '../context.ts'
import { recordAuditEntry } from '../core/record-audit-entry.ts'
import type { Actor } from '../core/record-audit-entry.ts'
import { coversBlock } from './covers-block.ts'
import { withParents } from './find-domain-block.ts'
import { parseDomain, parseRemoteDomain } from './parse-domain.ts'

export const MAX_COMMENT_CHARACTERS = 1_000

/** Longer texts are rejected before they are cleaned, which removes characters. */
const MAX_COMMENT_INPUT = 4 * MAX_COMMENT_CHARACTERS

/** A block of a domain and its subdomains. */
export interface DomainBlockSettings {
  domain: string
  /**
   * `noop`: only the flags below apply; `silence` (limit): accounts are hidden from users who do not follow them;
   * `suspend`: no federation.
   */
  severity: 'noop' | 'silence' | 'suspend'
  rejectMedia: boolean
  rejectReports: boolean
  /** Shown to the audience of the published list of domain blocks. */
  publicComment: string
  /** For staff. */
  privateComment: string
  /** Whether the published list shows only a part of the domain. */
  obfuscate: boolean
}

/** The settings of a block without its domain, which never changes. */
export type DomainBlockRule = Omit<DomainBlockSettings, 'domain'>

/** Undefined settings stay as they are. */
type DomainBlockChanges = { [Name in keyof DomainBlockRule]?: DomainBlockRule[Name] | undefined }

const NEW_BLOCK: DomainBlockRule = {
  severity: 'suspend',
  rejectMedia: false,
  rejectReports: false,
  publicComment: '',
  privateComment: '',
  obfuscate: false,
}

interface StoredBlock extends DomainBlockSettings {
  id: string
}

const COLUMNS = `id, domain, severity, reject_media as "rejectMedia", reject_reports as "rejectReports",
  public_comment as "publicComment", private_comment as "privateComment", obfuscate`
const insert = statement<{ params: DomainBlockSettings & { now: Date }; row: { id: string } }>(
  `insert into domain_blocks (domain, severity, reject_media, reject_reports, public_comment, private_comment,
     obfuscate, created_at)
   values ($domain, $severity, $rejectMedia, $rejectReports, $publicComment, $privateComment, $obfuscate, $now)
   on conflict (domain) do nothing returning id`,
)
const update = statement<{ params: DomainBlockRule & { id: string } }>(
  `update domain_blocks set severity = $severity, reject_media = $rejectMedia, reject_reports = $rejectReports,
     public_comment = $publicComment, private_comment = $privateComment, obfuscate = $obfuscate
   where id = $id`,
)
const lockById = statement<{ params: { id: string }; row: StoredBlock }>(
  `select ${COLUMNS} from domain_blocks where id = $id for update`,
)
const lockByDomain = statement<{ params: { domain: string }; row: StoredBlock }>(
  `select ${COLUMNS} from domain_blocks where domain = $domain for update`,
)
const findNearest = statement<{ params: { domains: readonly string[] }; row: StoredBlock }>(
  `select ${COLUMNS} from domain_blocks where domain = any($domains) order by length(domain) desc limit 1 for share`,
)
const remove = statement<{ params: { id: string } }>(`delete from domain_blocks where id = $id`)

/**
 * Blocks a domain (Mastodon: POST /api/v1/admin/domain_blocks). Returns the id of the new block; `existingId` instead
 * if the domain has a block already (`isOfDomain`), or the block of its nearest parent domain is as strict or stricter,
 * or not comparable.
 * @throws ValidationError for an invalid domain, for this server and for comments that are too long
 */
export async function createDomainBlock(
  tx: Tx,
  { by, settings }: { by: Actor; settings: DomainBlockSettings },
): Promise<{ id: string } | { existingId: string; isOfDomain: boolean }> {
  const block = { ...settings, ...checkComments(settings), domain: parseRemoteDomain(tx.config, settings.domain) }
  const [nearest] = await findNearest(tx.db, { domains: withParents(block.domain) })
  const isStricter = !nearest || (nearest.domain !== block.domain && coversBlock(block, nearest))
  if (nearest && (!isStricter || coversBlock(nearest, block)))
    return { existingId: nearest.id, isOfDomain: nearest.domain === block.domain }
  const [row] = await insert(tx.db, { ...block, now: tx.now })
  // Another transaction has just blocked the domain.
  if (!row) return { existingId: (await lockByDomain(tx.db, block))[0]!.id, isOfDomain: true }
  await recordChange(tx, { by, action: 'create', block: { ...block, id: row.id } })
  return row
}

/**
 * Changes the settings of a block that are not undefined (Mastodon: PUT /api/v1/admin/domain_blocks/:id).
 * @throws NotFoundError; ValidationError for comments that are too long
 */
export async function updateDomainBlock(
  tx: Tx,
  { id, by, changes }: { id: string; by: Actor; changes: DomainBlockChanges },
): Promise<void> {
  const [before] = isId(id) ? await lockById(tx.db, { id }) : []
  if (!before) throw new NotFoundError()
  const merged = { ...before, ...definedOf(changes) }
  const block = { ...merged, ...checkComments(merged) }
  await update(tx.db, block)
  await recordChange(tx, { by, action: 'update', block })
}

/**
 * Creates the block of a domain, also one that is less strict than that of a parent domain: an exception. If the domain
 * has a block, changes its settings that are not undefined. Activities and requests are subject to it from now on; jobs
 * apply it to known accounts and follows.
 * @throws ValidationError
 */
export async function setDomainBlock(
  tx: Tx,
  { by, domain, ...changes }: DomainBlockChanges & { by: Actor; domain: string },
): Promise<'added' | 'changed'> {
  const rule = { ...NEW_BLOCK, ...definedOf(changes) }
  const block = { ...rule, ...checkComments(rule), domain: parseRemoteDomain(tx.config, domain) }
  const [added] = await insert(tx.db, { ...block, now: tx.now })
  if (added) {
    await recordChange(tx, { by, action: 'create', block: { ...block, id: added.id } })
    return 'added'
  }
  const [{ id }] = (await lockByDomain(tx.db, block)) as [StoredBlock]
  await updateDomainBlock(tx, { id, by, changes })
  return 'changed'
}

function definedOf(changes: DomainBlockChanges): Partial<DomainBlockRule> {
  return Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined))
}

/**
 * Removes a block (Mastodon: DELETE /api/v1/admin/domain_blocks/:id). Jobs end the limit or the suspension of the
 * accounts that only this block limited or suspended.
 * @throws NotFoundError
 */
export async function removeDomainBlock(tx: Tx, { id, by }: { id: string; by: Actor }): Promise<void> {
  const [block] = isId(id) ? await lockById(tx.db, { id }) : []
  if (!block) throw new NotFoundError()
  await removeBlock(tx, { block, by })
}

/** Removes the block of a domain. @throws NotFoundError; ValidationError for an invalid domain */
export async function removeBlockOfDomain(tx: Tx, { domain: input, by }: { domain: string; by: Actor }): Promise<void> {
  const domain = parseDomain(input)
  const [block] = await lockByDomain(tx.db, { domain })
  if (!block) throw new NotFoundError(`There is no domain block of ${domain}`)
  await removeBlock(tx, { block, by })
}

async function removeBlock(tx: Tx, { block, by }: { block: StoredBlock; by: Actor }): Promise<void> {
  const { id, domain } = block
  await remove(tx.db, { id })
  await recordAuditEntry(tx, { by, action: 'delete', targetType: 'domain_block', targetId: id, label: domain })
  tx.emit('domain_block.removed', { domain })
}

async function recordChange(
  tx: Tx,
  { by, action, block }: { by: Actor; action: 'create' | 'update'; block: StoredBlock },
): Promise<void> {
  const { id, domain, severity, rejectMedia, rejectReports, obfuscate } = block
  await recordAuditEntry(tx, {
    by,
    action,
    targetType: 'domain_block',
    targetId: id,
    label: domain,
    details: { severity, rejectMedia, rejectReports, obfuscate },
  })
  tx.emit('domain_block.updated', { domain, at: tx.now.getTime() })
}

/** @throws ValidationError */
function checkComments(
  comments: Pick<DomainBlockSettings, 'publicComment' | 'privateComment'>,
): Pick<DomainBlockSettings, 'publicComment' | 'privateComment'> {
  const clean = (text: string, attribute: string) => {
    const cleaned = text.length > MAX_COMMENT_INPUT ? null : cleanText(text).trim()
    if (cleaned !== null && cleaned.length <= MAX_COMMENT_CHARACTERS) return cleaned
    const tooLong = `is too long (maximum is ${MAX_COMMENT_CHARACTERS} characters)`
    throw new ValidationError([{ attribute, code: 'ERR_TOO_LONG', text: tooLong }])
  }
  return {
    publicComment: clean(comments.publicComment, 'public_comment'),
    privateComment: clean(comments.privateComment, 'private_comment'),
  }
}
