import { NotFound, Unprocessable } from '../../lib/errors.ts'
import { cleanText } from '../../lib/text/cleanText.ts'
import { canonicalDomain } from '../../lib/usernames.ts'
import { statement } from '../../platform/db/statement.ts'
import type { Read, Tx } from '../context.ts'

const MAX_COMMENT_CHARACTERS = 1_000

/** A rule for a server and all below its domain. */
export interface DomainRule {
  domain: string
  /** Nothing but what is said beside it; nobody there is shown to those who don't follow them; or nothing at all. */
  severity: 'noop' | 'silence' | 'suspend'
  rejectMedia: boolean
  rejectReports: boolean
  /** For others, as far as the owner tells them of blocked servers; for the staff. */
  publicComment: string
  privateComment: string
  /** Whether others are told only a part of its name. */
  obfuscate: boolean
}

const list = statement<{ row: DomainRule & { createdAt: Date } }>(
  `select domain, severity, reject_media as "rejectMedia", reject_reports as "rejectReports",
     public_comment as "publicComment", private_comment as "privateComment", obfuscate, created_at as "createdAt"
   from domain_blocks order by domain`,
)
const upsert = statement<{
  params: Omit<DomainRule, 'createdAt'> & { now: Date }
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

/** All rules, by domain. */
export async function listDomainBlocks(read: Read): Promise<(DomainRule & { createdAt: Date })[]> {
  return list(read.db)
}

/**
 * Makes a rule for a server, in the place of the one that it had. It holds for what comes from now on and goes there.
 * Posts that are here already stay; follows of a suspended server end.
 * @throws Unprocessable, with a sentence for the owner
 */
export async function setDomainBlock(tx: Tx, rule: DomainRule): Promise<'added' | 'changed'> {
  const domain = readDomain(rule.domain)
  const { localDomain, webDomain } = tx.config
  if ([localDomain, webDomain].some((own) => canonicalDomain(own) === domain)) {
    throw new Unprocessable(`${domain} is this server itself`)
  }
  const comments = [rule.publicComment, rule.privateComment].map((text) => cleanText(text).trim())
  if (comments.some((text) => text.length > MAX_COMMENT_CHARACTERS)) {
    throw new Unprocessable(`A comment has at most ${MAX_COMMENT_CHARACTERS} characters`)
  }
  const { severity, rejectMedia, rejectReports, obfuscate } = rule
  const [publicComment, privateComment] = comments as [string, string]
  const stored = { domain, severity, rejectMedia, rejectReports, publicComment, privateComment, obfuscate }
  const [row] = await upsert(tx.db, { ...stored, now: tx.now })
  tx.emit('domain.rule_set', { domain, at: tx.now.getTime() })
  return row!.added ? 'added' : 'changed'
}

/** @throws NotFound · Unprocessable for what is no domain */
export async function removeDomainBlock(tx: Tx, { domain: typed }: { domain: string }): Promise<void> {
  const domain = readDomain(typed)
  if ((await remove(tx.db, { domain })).length === 0) throw new NotFound(`There is no rule for ${domain}`)
}

function readDomain(typed: string): string {
  const domain = canonicalDomain(typed)
  if (domain === null) throw new Unprocessable(`"${typed}" is no domain`)
  return domain
}
