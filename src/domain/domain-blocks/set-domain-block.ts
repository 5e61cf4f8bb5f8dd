import { NotFoundError, UnprocessableError } from '../../lib/errors.ts'
import { cleanText } from '../../lib/text/clean-text.ts'
import { canonicalDomain } from '../../lib/usernames.ts'
import { statement } from '../../platform/db/statement.ts'
import type { Read, Tx } from '../context.ts'

const MAX_COMMENT_CHARACTERS = 1_000

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

const list = statement<{ row: DomainBlockSettings & { createdAt: Date } }>(
  `select domain, severity, reject_media as "rejectMedia", reject_reports as "rejectReports",
     public_comment as "publicComment", private_comment as "privateComment", obfuscate, created_at as "createdAt"
   from domain_blocks order by domain`,
)
const upsert = statement<{
  params: Omit<DomainBlockSettings, 'createdAt'> & { now: Date }
  row: { added: boolean }
}>(
  `insert into domain_blocks (domain, severity, reject_media, reject_reports, public_comment, private_comment, obfuscate,
     created_at)
   values ($domain, $severity, $rejectMedia, $rejectReports, $publicComment, $privateComment, $obfuscate, $now)
   on conflict (domain) do update set severity = excluded.severity, reject_media = excluded.reject_media,
     reject_reports = excluded.reject_reports, public_comment = excluded.public_comment,
     private_comment = excluded.private_comment, obfuscate = excluded.obfuscate
   returning xmax = 0 as added`,
)
const remove = statement<{ params: { domain: string }; row: { domain: string } }>(
  `delete from domain_blocks where domain = $domain returning domain`,
)

/** Returns all domain blocks, ordered by domain. */
export async function listDomainBlocks(read: Read): Promise<(DomainBlockSettings & { createdAt: Date })[]> {
  return list(read.db)
}

/**
 * Creates or replaces the block of a domain. It applies to activities and requests from now on. Stored statuses stay;
 * follows from and to a suspended domain end.
 * @throws UnprocessableError, with a message for the administrator
 */
export async function setDomainBlock(tx: Tx, settings: DomainBlockSettings): Promise<'added' | 'changed'> {
  const domain = parseDomain(settings.domain)
  const { localDomain, webDomain } = tx.config
  if ([localDomain, webDomain].some((own) => canonicalDomain(own) === domain)) {
    throw new UnprocessableError(`${domain} is this server itself`)
  }
  const comments = [settings.publicComment, settings.privateComment].map((text) => cleanText(text).trim())
  if (comments.some((text) => text.length > MAX_COMMENT_CHARACTERS)) {
    throw new UnprocessableError(`A comment has at most ${MAX_COMMENT_CHARACTERS} characters`)
  }
  const { severity, rejectMedia, rejectReports, obfuscate } = settings
  const [publicComment, privateComment] = comments as [string, string]
  const stored = { domain, severity, rejectMedia, rejectReports, publicComment, privateComment, obfuscate }
  const [row] = await upsert(tx.db, { ...stored, now: tx.now })
  tx.emit('domain_block.updated', { domain, at: tx.now.getTime() })
  return row!.added ? 'added' : 'changed'
}

/** Removes the block of a domain. @throws NotFoundError; UnprocessableError for an invalid domain */
export async function removeDomainBlock(tx: Tx, { domain: input }: { domain: string }): Promise<void> {
  const domain = parseDomain(input)
  if ((await remove(tx.db, { domain })).length === 0) throw new NotFoundError(`There is no domain block of ${domain}`)
}

function parseDomain(input: string): string {
  const domain = canonicalDomain(input)
  if (domain === null) throw new UnprocessableError(`"${input}" is not a domain`)
  return domain
}
