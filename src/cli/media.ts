import { InvalidArgumentError } from 'commander'
import type { Command } from 'commander'
import type { Ctx } from '../domain/context.ts'
import { lookupAccount } from '../domain/accounts/lookup.ts'
import { countUnused, dropUnused } from '../domain/media/cached/drop.ts'
import { countRefreshable, listRefreshable, refreshFile } from '../domain/media/cached/refresh.ts'
import type { RefreshScope } from '../domain/media/cached/refresh.ts'
import { STORED } from '../domain/media/stored.ts'
import type { StoredFolder } from '../domain/media/stored.ts'
import { Refusal } from '../lib/errors.ts'
import { isId } from '../lib/ids.ts'
import { canonicalDomain } from '../lib/usernames.ts'
import { needsData } from './data-use.ts'
import { Halt } from './failure.ts'
import { removeOrphanFiles } from './media-orphans.ts'
import type { Run } from './open.ts'
import { showProgress } from './show-progress.ts'
import { showBytes } from './show-bytes.ts'

const DAY_MS = 86_400_000

/** Files that are asked for at once. */
const AT_ONCE = 5

const POSTS = ['original', 'small']
const PEOPLE = ['avatar', 'header', 'emoji']

const EXPLANATION = `
The server caches remote files when a reader first views them, up to MEDIA_CACHE_GB, and evicts the least recently viewed
ones. These commands never remove a local upload that is still referenced.`

interface RefreshOptions {
  account?: string
  domain?: string
  status?: string
  days?: number
  force: boolean
}

/** `linnet media`: the files of people here, and those of other servers that are kept here. */
export function mediaCommand(program: Command, run: Run): void {
  const media = program
    .command('media')
    .description('show media usage and manage the remote media cache')
    .addHelpText('after', EXPLANATION)
  needsData(media.command('usage'))
    .description('show number and size of files by kind')
    .action(() => run(showUsage))
  needsData(media.command('remove'))
    .description('evict cached attachments that were not viewed lately; they are fetched again when needed')
    .option('--days <number>', 'days since the last view', readDays, 7)
    .option('--profiles', 'also avatars, headers and emojis', false)
    .option('--dry-run', 'only count files', false)
    .action((options: { days: number; profiles: boolean; dryRun: boolean }) => run((ctx) => remove(ctx, options)))
  needsData(media.command('refresh'))
    .description('fetch remote files now')
    .option('--account <handle>', 'files of this account, with avatar and header')
    .option('--domain <domain>', 'files of all accounts of this server')
    .option('--status <id>', 'files of this post')
    .option('--days <number>', 'files of posts received in this number of days', readDays)
    .option('--force', 'also fetch files that are already cached', false)
    .action((options: RefreshOptions) => run((ctx) => refresh(ctx, options)))
  needsData(media.command('remove-orphans'))
    .alias('orphans')
    .description('remove unreferenced files and list missing files')
    .option('--dry-run', 'only count files', false)
    .action(({ dryRun }: { dryRun: boolean }) => run((ctx) => removeOrphanFiles(ctx, { dryRun })))
}

async function showUsage(ctx: Ctx): Promise<void> {
  const progress = showProgress()
  const folders = Object.keys(STORED) as StoredFolder[]
  const lines: string[] = []
  let cached = 0
  for (const [n, folder] of folders.entries()) {
    progress(n / folders.length, folder)
    let [count, bytes] = [0, 0]
    for await (const { size } of ctx.storage.list({ folder })) {
      count += 1
      bytes += size
    }
    const { about, local } = STORED[folder]
    if (!local) cached += bytes
    lines.push(`${showBytes(bytes).padStart(9)}  ${String(count).padStart(9)}  ${about}`)
  }
  progress(1, 'done')
  for (const line of lines) console.log(line)
  const { mediaCacheBytes: budget } = ctx.config
  console.log(
    budget === 0
      ? 'The remote media cache is disabled (MEDIA_CACHE_GB is 0)'
      : `Remote media cache: ${showBytes(cached)} of ${showBytes(budget)} (MEDIA_CACHE_GB)`,
  )
}

async function remove(
  ctx: Ctx,
  { days, profiles, dryRun }: { days: number; profiles: boolean; dryRun: boolean },
): Promise<void> {
  const before = new Date(ctx.now().getTime() - days * DAY_MS)
  const unused = { before, renditions: profiles ? [...POSTS, ...PEOPLE] : POSTS }
  const total = await countUnused(ctx, unused)
  if (dryRun) {
    console.log(`Would remove ${total.count} files, ${showBytes(total.bytes)}`)
    return
  }
  const progress = showProgress()
  const gone = { count: 0, bytes: 0 }
  for (;;) {
    const set = await dropUnused(ctx, unused)
    if (set.count === 0) break
    gone.count += set.count
    gone.bytes += set.bytes
    progress(Math.min(1, gone.count / total.count), 'removing')
  }
  console.log(`Removed ${gone.count} files, ${showBytes(gone.bytes)}`)
}

async function refresh(ctx: Ctx, { force, ...options }: RefreshOptions): Promise<void> {
  if (ctx.config.mediaCacheBytes === 0) throw new Halt('The remote media cache is disabled: MEDIA_CACHE_GB is 0')
  const scope = await readScope(ctx, options)
  const counts = { fetched: 0, kept: 0, refused: 0, failed: 0 }
  const total = await countRefreshable(ctx, scope)
  const progress = showProgress()
  let done = 0
  for await (const set of listRefreshable(ctx, scope)) {
    const left = set.values()
    const work = async () => {
      for (const shown of left) {
        const outcome = await refreshFile(ctx, { shown, force }).catch((err: unknown): 'failed' => {
          // One server that does not answer does not keep the others out; a full disk does.
          if (err instanceof Refusal && (err.status === 404 || err.status === 502)) return 'failed'
          throw err
        })
        counts[outcome] += 1
      }
    }
    await Promise.all(Array.from({ length: AT_ONCE }, work))
    done += set.length
    progress(Math.min(1, done / total), 'fetching')
  }
  const { fetched, kept, refused, failed } = counts
  console.log(`Fetched ${fetched}, already cached ${kept}, rejected by a domain block ${refused}, failed ${failed}`)
}

async function readScope(ctx: Ctx, options: Omit<RefreshOptions, 'force'>): Promise<RefreshScope> {
  const { account, domain, status, days } = options
  if ([account, domain, status, days].every((one) => one === undefined)) {
    throw new Halt('Specify --account, --domain, --status or --days')
  }
  if (status !== undefined && !isId(status)) throw new Halt('--status must be the id of a post')
  const canonical = domain === undefined ? undefined : canonicalDomain(domain)
  if (canonical === null) throw new Halt(`"${domain}" is not a domain`)
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
