import { InvalidArgumentError } from 'commander'
import type { Command } from 'commander'
import type { Ctx } from '../../../domain/context.ts'
import { lookupAccount } from '../../../domain/accounts/lookup/lookup-account.ts'
import { countUnusedFiles, evictUnusedFiles } from '../../../domain/media/remote-cache/evict-files.ts'
import { countRefreshable, listRefreshable, refreshFile } from '../../../domain/media/remote-cache/refresh-files.ts'
import type { RefreshScope } from '../../../domain/media/remote-cache/refresh-files.ts'
import { STORED_FOLDERS } from '../../../domain/media/stored-files.ts'
import type { StoredFolder } from '../../../domain/media/stored-files.ts'
import { RequestError } from '../../../lib/errors.ts'
import { isId } from '../../../lib/ids.ts'
import { canonicalDomain } from '../../../lib/usernames.ts'
import { requireData } from '../../data-use.ts'
import { CommandError } from '../../command-error.ts'
import { removeOrphanFiles } from './remove-orphan-files.ts'
import type { RunCommand } from '../../run-command.ts'
import { showProgress } from '../../output/show-progress.ts'
import { formatBytes } from '../../../lib/text/format-bytes.ts'

const DAY_MS = 86_400_000

/** Concurrent downloads. */
const CONCURRENCY = 5

const ATTACHMENT_RENDITIONS = ['original', 'small']
const PROFILE_RENDITIONS = ['avatar', 'header', 'emoji']

const HELP = `
The server caches remote files when a reader first views them, up to MEDIA_CACHE_GB, and evicts the least recently viewed
ones. These commands never remove a local upload that is still referenced.`

interface RefreshOptions {
  account?: string
  domain?: string
  status?: string
  days?: number
  force: boolean
}

/** Adds `linnet media`, which manages stored files and the remote media cache. */
export function mediaCommand(program: Command, run: RunCommand): void {
  const media = program
    .command('media')
    .description('show media usage and manage the remote media cache')
    .addHelpText('after', HELP)
  requireData(media.command('usage'))
    .description('show number and size of files by kind')
    .action(() => run(showUsage))
  requireData(media.command('remove'))
    .description('evict cached attachments that were not viewed lately; they are fetched again when needed')
    .option('--days <number>', 'days since the last view', readDays, 7)
    .option('--profiles', 'also avatars, headers and emojis', false)
    .option('--dry-run', 'only count files', false)
    .action((options: { days: number; profiles: boolean; dryRun: boolean }) => run((ctx) => removeUnused(ctx, options)))
  requireData(media.command('refresh'))
    .description('fetch remote files now')
    .option('--account <handle>', 'files of this account, with avatar and header')
    .option('--domain <domain>', 'files of all accounts of this server')
    .option('--status <id>', 'files of this post')
    .option('--days <number>', 'files of posts received in this number of days', readDays)
    .option('--force', 'also fetch files that are already cached', false)
    .action((options: RefreshOptions) => run((ctx) => refreshFiles(ctx, options)))
  requireData(media.command('remove-orphans'))
    .alias('orphans')
    .description('remove unreferenced files and list missing files')
    .option('--dry-run', 'only count files', false)
    .action(({ dryRun }: { dryRun: boolean }) => run((ctx) => removeOrphanFiles(ctx, { dryRun })))
}

async function showUsage(ctx: Ctx): Promise<void> {
  const progress = showProgress()
  const folders = Object.keys(STORED_FOLDERS) as StoredFolder[]
  const lines: string[] = []
  let cached = 0
  for (const [n, folder] of folders.entries()) {
    progress(n / folders.length, folder)
    let [count, bytes] = [0, 0]
    for await (const { size } of ctx.storage.list({ folder })) {
      count += 1
      bytes += size
    }
    const { about, local } = STORED_FOLDERS[folder]
    if (!local) cached += bytes
    lines.push(`${formatBytes(bytes).padStart(9)}  ${String(count).padStart(9)}  ${about}`)
  }
  progress(1, 'done')
  for (const line of lines) console.log(line)
  const { mediaCacheBytes: budget } = ctx.config
  console.log(
    budget === 0
      ? 'The remote media cache is disabled (MEDIA_CACHE_GB is 0)'
      : `Remote media cache: ${formatBytes(cached)} of ${formatBytes(budget)} (MEDIA_CACHE_GB)`,
  )
}

async function removeUnused(
  ctx: Ctx,
  { days, profiles, dryRun }: { days: number; profiles: boolean; dryRun: boolean },
): Promise<void> {
  const before = new Date(ctx.now().getTime() - days * DAY_MS)
  const unused = {
    before,
    renditions: profiles ? [...ATTACHMENT_RENDITIONS, ...PROFILE_RENDITIONS] : ATTACHMENT_RENDITIONS,
  }
  const total = await countUnusedFiles(ctx, unused)
  if (dryRun) {
    console.log(`Would remove ${total.count} files, ${formatBytes(total.bytes)}`)
    return
  }
  const progress = showProgress()
  const removed = { count: 0, bytes: 0 }
  for (;;) {
    const batch = await evictUnusedFiles(ctx, unused)
    if (batch.count === 0) break
    removed.count += batch.count
    removed.bytes += batch.bytes
    progress(Math.min(1, removed.count / total.count), 'removing')
  }
  console.log(`Removed ${removed.count} files, ${formatBytes(removed.bytes)}`)
}

async function refreshFiles(ctx: Ctx, { force, ...options }: RefreshOptions): Promise<void> {
  if (ctx.config.mediaCacheBytes === 0)
    throw new CommandError('The remote media cache is disabled: MEDIA_CACHE_GB is 0')
  const scope = await readScope(ctx, options)
  const counts = { fetched: 0, cached: 0, rejected: 0, failed: 0 }
  const total = await countRefreshable(ctx, scope)
  const progress = showProgress()
  let processed = 0
  for await (const batch of listRefreshable(ctx, scope)) {
    const remaining = batch.values()
    const fetchNext = async () => {
      for (const file of remaining) {
        const outcome = await refreshFile(ctx, { reference: file, force }).catch((err: unknown): 'failed' => {
          // A server that does not respond does not stop the refresh; a full disk does.
          if (err instanceof RequestError && (err.status === 404 || err.status === 502)) return 'failed'
          throw err
        })
        counts[outcome] += 1
      }
    }
    await Promise.all(Array.from({ length: CONCURRENCY }, fetchNext))
    processed += batch.length
    progress(Math.min(1, processed / total), 'fetching')
  }
  const { fetched, cached, rejected, failed } = counts
  console.log(`Fetched ${fetched}, already cached ${cached}, rejected by a domain block ${rejected}, failed ${failed}`)
}

async function readScope(ctx: Ctx, options: Omit<RefreshOptions, 'force'>): Promise<RefreshScope> {
  const { account, domain, status, days } = options
  if ([account, domain, status, days].every((option) => option === undefined)) {
    throw new CommandError('Specify --account, --domain, --status or --days')
  }
  if (status !== undefined && !isId(status)) throw new CommandError('--status must be the id of a post')
  const canonical = domain === undefined ? undefined : canonicalDomain(domain)
  if (canonical === null) throw new CommandError(`"${domain}" is not a domain`)
  return {
    statusId: status,
    accountId: account === undefined ? undefined : await lookupAccount(ctx, { handle: account }),
    domain: canonical,
    since: days === undefined ? undefined : new Date(ctx.now().getTime() - days * DAY_MS),
  }
}

function readDays(text: string): number {
  const days = Number(text)
  if (/^\d{1,5}$/.test(text)) return days
  throw new InvalidArgumentError('It must be a whole number of days.')
}
