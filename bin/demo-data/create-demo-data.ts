import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { updateProfile } from '../../src/domain/accounts/profile/update-profile.ts'
import { hashPassword } from '../../src/domain/auth/passwords.ts'
import { followAccount } from '../../src/domain/relationships/follows/follow-account.ts'
import { generateSecret } from '../../src/lib/secrets.ts'
import { createUser } from '../../test/servers/create-user.ts'
import { createRandom } from '../../test/oracles/random.ts'
import type { Random } from '../../test/oracles/random.ts'
import { waitForJobs } from '../../test/jobs/wait-for-jobs.ts'
import { drawAvatar, drawPicture } from '../draw/draw-picture.ts'
import { disableEmailNotifications, enableEmailNotifications } from './toggle-email-notifications.ts'
import { createDemoCollections } from './create-demo-collections.ts'
import { configureSite } from './configure-site.ts'
import { SPECIAL_POSTS } from './special-posts.ts'
import { simulateActivity } from './simulate-activity.ts'
import type { DemoUser } from './simulate-activity.ts'
import type { DemoAccount } from './demo-account.ts'
import { LATIN_ACCOUNTS } from './demo-accounts-latin.ts'
import { OTHER_SCRIPT_ACCOUNTS } from './demo-accounts-other-scripts.ts'
import { TOPICS } from './topics.ts'
import { withBackdatedIds } from './with-backdated-ids.ts'
import type { Clock } from './with-backdated-ids.ts'
import type { BuilderCtx } from '../../test/query-builder.ts'

/** The credentials of a demo account. */
export interface DemoLogin {
  role: 'owner' | 'user'
  email: string
  password: string
}

const DAY_MS = 86_400_000
const DAYS = 12
const OWNER = 'wren'
const GUEST = 'juno'
const LOGINS = [OWNER, GUEST]

/**
 * Fills an empty server with the activity of some days, by domain operations and with a clock that runs fast. The
 * workers must be running. Returns the log-ins.
 */
export async function createDemoData(
  demoCtx: BuilderCtx,
  { clock, onProgress }: { clock: Clock; onProgress: (done: number, title: string) => void },
): Promise<DemoLogin[]> {
  const random = createRandom(20)
  const end = Date.now()
  const folder = await mkdtemp(join(tmpdir(), 'linnet-demo-'))
  const logins: DemoLogin[] = []
  try {
    await withBackdatedIds(demoCtx, clock, async (ctx) => {
      clock.set(new Date(end - (DAYS + 40) * DAY_MS))
      const demoAccounts = [...LATIN_ACCOUNTS, ...OTHER_SCRIPT_ACCOUNTS]
      const demoUsers: DemoUser[] = []
      const recipients: Parameters<typeof enableEmailNotifications>[1][] = []
      for (const demoAccount of demoAccounts) {
        onProgress((demoUsers.length / demoAccounts.length) * 0.3, 'accounts')
        clock.set(new Date(clock.now().getTime() + random.between(1, 2 * 24) * (DAY_MS / 24)))
        const password = LOGINS.includes(demoAccount.username) ? generateSecret().slice(0, 12) : null
        const demoUser = await createDemoAccount(ctx, { demoAccount, password, random, folder })
        demoUsers.push(demoUser)
        const choice = await disableEmailNotifications(ctx, demoUser)
        const role = demoAccount.username === OWNER ? 'owner' : 'user'
        if (password !== null) {
          logins.push({ role, email: demoUser.email, password })
          recipients.push({ ...demoUser, choice })
        }
      }
      await configureSite(ctx, { contact: OWNER })
      // By the database's clock, users who were created long ago would have no home feed.
      await sql`update users set last_seen_at = ${new Date(end)}`.execute(ctx.db)
      clock.set(new Date(end - DAYS * DAY_MS))
      await createFollows(ctx, { demoUsers, random })
      await createDemoCollections(ctx, demoUsers)
      await waitForJobs(ctx)
      await simulateActivity(ctx, {
        demoUsers,
        extras: SPECIAL_POSTS,
        topics: TOPICS,
        random,
        clock,
        folder,
        end,
        onProgress: (done) => onProgress(0.3 + done * 0.7, 'posts'),
      })
      for (const recipient of recipients) await enableEmailNotifications(ctx, recipient)
    })
    onProgress(1, 'done')
    return logins
  } finally {
    await rm(folder, { recursive: true })
  }
}

async function createDemoAccount(
  ctx: BuilderCtx,
  {
    demoAccount,
    password,
    random,
    folder,
  }: { demoAccount: DemoAccount; password: string | null; random: Random; folder: string },
): Promise<DemoUser> {
  const user = await createUser(ctx, {
    username: demoAccount.username,
    role: demoAccount.username === OWNER ? 'owner' : 'user',
    passwordHash: password === null ? null : await hashPassword(password),
  })
  const { accountId } = user
  const changes = {
    displayName: demoAccount.name,
    note: demoAccount.note,
    fields: (demoAccount.fields ?? []).map(([name, value]) => ({ name, value })),
    locked: demoAccount.locked ?? false,
    bot: demoAccount.bot ?? false,
    discoverable: true,
    indexable: true,
    defaults: { language: demoAccount.language },
  }
  // Accounts without a bio have no images either.
  const [avatarPath, headerPath] = [join(folder, 'avatar.jpeg'), join(folder, 'header.jpeg')]
  if (demoAccount.note !== '') {
    await drawAvatar({ random, path: avatarPath })
    await drawPicture({ random, width: 1_500, height: 500, path: headerPath })
  }
  const uploads = demoAccount.note === '' ? {} : { avatarPath, headerPath }
  await updateProfile(ctx, { accountId, changes, uploads })
  return { ...user, demoAccount, following: [] }
}

/** Makes each account follow some others and, in most cases, the owner; locked accounts receive requests. */
async function createFollows(
  ctx: BuilderCtx,
  { demoUsers, random }: { demoUsers: readonly DemoUser[]; random: Random },
): Promise<void> {
  for (const follower of demoUsers) {
    const others = demoUsers.filter((other) => other !== follower)
    const owner = others.filter(({ username }) => username === OWNER && random.next() < 0.9)
    follower.following = [
      ...new Set([...owner, ...random.some(others, LOGINS.includes(follower.username) ? 24 : random.between(8, 18))]),
    ]
    for (const other of follower.following) {
      await ctx.write((tx) =>
        followAccount(tx, { accountId: follower.accountId, targetAccountId: other.accountId, options: {} }),
      )
    }
  }
}
