import { InvalidArgumentError } from 'commander'
import type { Command } from 'commander'
import type { Ctx } from '../../../domain/context.ts'
import { countRefreshable, listRefreshable, refreshFile } from '../../../domain/media/remote-cache/refresh-files.ts'
import type { RefreshScope } from '../../../domain/media/remote-cache/refresh-files.ts'
import { measureMediaCache, purgeMediaCacheNow } from '../../../domain/media/remote-cache/purge-cache.ts'
import { measureFolder } from '../../../domain/media/measure-usage.ts'
import type { FolderUsage } from '../../../domain/media/measure-usage.ts'
import { FOLDER_NAMES } from '../../../domain/media/stored-files.ts'
import { RequestError } from '../../../lib/errors.ts'
import { isId } from '../../../lib/ids.ts'
import { canonicalDomain } from '../../../lib/usernames.ts'
import { requireData } from '../../data-use.ts'
import { CommandError } from '../../command-error.ts'
import { explainNotFound } from '../../explain-not-found.ts'
import { findAccountIdByHandle } from '../../input/find-account-id.ts'
import { readDomain } from '../../input/read-domain.ts'
import { allowDryRun, allowJson, printResult } from '../../output/print-result.ts'
import type { OutputOptions } from '../../output/print-result.ts'
import { removeOrphanFiles } from './remove-orphan-files.ts'
import type { RunCommand } from '../../run-command.ts'
import { showProgress } from '../../output/show-progress.ts'
import { formatBytes } from '../../../lib/text/format-bytes.ts'

const DAY_MS = 86_400_000

/** Concurrent downloads. */
const CONCURRENCY = 5

const HELP = `
The server caches remote files when a user or visitor first views them, up to MEDIA_CACHE_GB, and evicts the least
recently viewed ones. These commands never remove a local upload that is still referenced.`

interface RemoveOptions extends OutputOptions {
  days: number
  profiles: boolean
  domain?: string | null
  keepInteracted: boolean
  dryRun: boolean
}

interface RefreshOptions extends OutputOptions {
  account?: string
  domain?: string
  status?: string
  days?: number
  force: boolean
  dryRun: boolean
}

/** Adds `linnet media`, which manages stored files and the remote media cache. */
export function mediaCommand(program: Command, run: RunCommand): void {
  const media = program
    .command('media')
    .description('show media usage and manage the remote media cache')
    .addHelpText('after', HELP)
  allowJson(requireData(media.command('usage')))
    .description('show number and size of files by kind')
    .action((options: OutputOptions) => run((ctx) => showUsage(ctx, options)))
  allowDryRun(allowJson(requireData(media.command('remove'))))
    .description('evict cached attachments that were not viewed lately; they are fetched again when needed')
    .option('--days <number>', 'days since the last view', readDays, 7)
    .option('--profiles', 'also avatars, headers and emojis', false)
    .option('--domain <domain>', 'only files of this server', readDomain)
    .option('--keep-interacted', 'retain attachments of posts with which local accounts interacted', false)
    .action((options: RemoveOptions) => run((ctx) => removeUnused(ctx, options)))
  allowDryRun(allowJson(requireData(media.command('refresh'))))
    .description('fetch remote files now')
    .option('--account <handle>', 'files of this account, with avatar and header')
    .option('--domain <domain>', 'files of all accounts of this server')
    .option('--status <id>', 'files of this post')
    .option('--days <number>', 'files of posts received in this number of days', readDays)
    .option('--force', 'also fetch files that are already cached', false)
    .action((options: RefreshOptions) => run((ctx) => refreshFiles(ctx, options)))
  allowJson(requireData(media.command('remove-orphans')))
    .alias('orphans')
    .description('remove unreferenced files and list missing files')
    .option('--dry-run', 'only count files', false)
    .action((options: OutputOptions & { dryRun: boolean }) => run((ctx) => removeOrphanFiles(ctx, options)))
}

async function showUsage(ctx: Ctx, { json }: OutputOptions): Promise<void> {
  const progress = showProgress()
  const usage: FolderUsage[] = []
  for (const [n, folder] of FOLDER_NAMES.entries()) {
    progress(n / FOLDER_NAMES.length, folder)
    usage.push(await measureFolder(ctx, { folder }))
  }
  progress(1, 'done')
  const { bytes: cached } = await measureMediaCache(ctx)
  const { mediaCacheBytes: budget } = ctx.config
  const lines = usage.map(
    ({ about, files, bytes }) => `${formatBytes(bytes).padStart(9)}  ${String(files).padStart(9)}  ${about}`,
  )
  const cacheLine =
    budget === 0
      ? 'The remote media cache is disabled (MEDIA_CACHE_GB is 0)'
      : `Remote media cache: ${formatBytes(cached)} of ${formatBytes(budget)} (MEDIA_CACHE_GB)`
  const folders = usage.map(({ kind, origin, files, bytes }) => ({ kind, origin, files, bytes }))
  const result = { usage: folders, cacheBytes: cached, cacheMaxBytes: budget }
  printResult({ json }, { result, lines: [...lines, cacheLine] })
}

async function removeUnused(
  ctx: Ctx,
  { days, profiles, domain: byDomain = null, keepInteracted, dryRun, json }: RemoveOptions,
): Promise<void> {
  const { files: all } = await measureMediaCache(ctx)
  const progress = showProgress()
  const title = dryRun ? 'counting' : 'removing'
  const { files, bytes } = await purgeMediaCacheNow(ctx, {
    days,
    profiles,
    byDomain,
    keepInteracted,
    dryRun,
    onStep: (examined) => progress(Math.min(0.99, examined / Math.max(1, all)), title),
  })
  progress(1, title)
  const line = `${dryRun ? 'Would remove' : 'Removed'} ${files} files, ${formatBytes(bytes)}`
  printResult({ json }, { result: { dryRun, files, bytes }, lines: [line] })
}

async function refreshFiles(ctx: Ctx, { force, dryRun, json, ...options }: RefreshOptions): Promise<void> {
  if (ctx.config.mediaCacheBytes === 0)
    throw new CommandError('The remote media cache is disabled: MEDIA_CACHE_GB is 0')
  const scope = await readScope(ctx, options)
  const counts = { fetched: 0, cached: 0, rejected: 0, failed: 0 }
  const total = await explainNotFound(countRefreshable(ctx, scope), `There is no post ${scope.statusId}`)
  if (dryRun) {
    const line = `Would fetch ${total} files${force ? '' : ', except those that are cached already'}`
    printResult({ json }, { result: { dryRun, files: total }, lines: [line] })
    return
  }
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
  const line = `Fetched ${fetched}, already cached ${cached}, rejected by a domain block ${rejected}, failed ${failed}`
  printResult({ json }, { result: { dryRun, ...counts }, lines: [line] })
}

async function readScope(ctx: Ctx, options: Omit<RefreshOptions, 'force' | 'dryRun' | 'json'>): Promise<RefreshScope> {
  const { account, domain, status, days } = options
  if ([account, domain, status, days].every((option) => option === undefined)) {
    throw new CommandError('Specify --account, --domain, --status or --days')
  }
  if (status !== undefined && !isId(status)) throw new CommandError('--status must be the id of a post')
  const canonical = domain === undefined ? undefined : canonicalDomain(domain)
  if (canonical === null) throw new CommandError(`"${domain}" is not a domain`)
  return {
    statusId: status,
    accountId: account === undefined ? undefined : await findAccountIdByHandle(ctx, { handle: account }),
    domain: canonical,
    since: days === undefined ? undefined : new Date(ctx.now().getTime() - days * DAY_MS),
  }
}

function readDays(text: string): number {
  const days = Number(text)
  if (/^\d{1,5}$/.test(text)) return days
  throw new InvalidArgumentError('It must be a whole number of days.')
}
