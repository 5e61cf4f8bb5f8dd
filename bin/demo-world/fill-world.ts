import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { updateProfile } from '../../src/domain/accounts/update-profile.ts'
import { hashPassword } from '../../src/domain/auth/passwords.ts'
import { followAccount } from '../../src/domain/relationships/follow.ts'
import { makeSecret } from '../../src/lib/secrets.ts'
import { createPerson } from '../../test/create-person.ts'
import { createRandom } from '../../test/random.ts'
import type { Random } from '../../test/random.ts'
import { settle } from '../../test/settle.ts'
import { drawAvatar, drawPicture } from '../draw.ts'
import { turnMailsOff, turnMailsOn } from './choose-mails.ts'
import { describeSite } from './describe-site.ts'
import { EXTRAS } from './extras.ts'
import { live } from './live.ts'
import type { Neighbour } from './live.ts'
import type { Resident } from './resident.ts'
import { LATIN } from './residents-latin.ts'
import { OTHER_SCRIPTS } from './residents-other.ts'
import { TOPICS } from './topics.ts'
import { turnBack } from './turn-back.ts'
import type { Clock } from './turn-back.ts'
import type { BuilderCtx } from '../../test/query-builder.ts'

/** Somebody as whom one can log in. */
export interface Login {
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
 * Fills an empty server with people who have lived there for some days: the same verbs as for everybody, at a clock
 * that runs fast. The effects must be running. Returns the logins.
 */
export async function fillWorld(
  world: BuilderCtx,
  { clock, onProgress }: { clock: Clock; onProgress: (done: number, title: string) => void },
): Promise<Login[]> {
  const random = createRandom(20)
  const end = Date.now()
  const folder = await mkdtemp(join(tmpdir(), 'linnet-demo-'))
  const logins: Login[] = []
  try {
    await turnBack(world, clock, async (ctx) => {
      clock.set(new Date(end - (DAYS + 40) * DAY_MS))
      const residents = [...LATIN, ...OTHER_SCRIPTS]
      const neighbours: Neighbour[] = []
      const recipients: Parameters<typeof turnMailsOn>[1][] = []
      for (const resident of residents) {
        onProgress((neighbours.length / residents.length) * 0.3, 'people move in')
        clock.set(new Date(clock.now().getTime() + random.between(1, 2 * 24) * (DAY_MS / 24)))
        const password = LOGINS.includes(resident.username) ? makeSecret().slice(0, 12) : null
        const neighbour = await moveIn(ctx, { resident, password, random, folder })
        neighbours.push(neighbour)
        const choice = await turnMailsOff(ctx, neighbour)
        const role = resident.username === OWNER ? 'owner' : 'user'
        if (password !== null) {
          logins.push({ role, email: neighbour.email, password })
          recipients.push({ ...neighbour, choice })
        }
      }
      await describeSite(ctx, { contact: OWNER })
      // By the database's clock, users who moved in long ago would have no home feed while the others post.
      await sql`update users set last_seen_at = ${new Date(end)}`.execute(ctx.db)
      clock.set(new Date(end - DAYS * DAY_MS))
      await meet(ctx, { neighbours, random })
      await settle(ctx)
      await live(ctx, {
        neighbours,
        extras: EXTRAS,
        topics: TOPICS,
        random,
        clock,
        folder,
        end,
        onProgress: (done) => onProgress(0.3 + done * 0.7, 'people talk'),
      })
      for (const recipient of recipients) await turnMailsOn(ctx, recipient)
    })
    onProgress(1, 'done')
    return logins
  } finally {
    await rm(folder, { recursive: true })
  }
}

async function moveIn(
  ctx: BuilderCtx,
  {
    resident,
    password,
    random,
    folder,
  }: { resident: Resident; password: string | null; random: Random; folder: string },
): Promise<Neighbour> {
  const person = await createPerson(ctx, {
    username: resident.username,
    role: resident.username === OWNER ? 'owner' : 'user',
    passwordHash: password === null ? null : await hashPassword(password),
  })
  const { accountId } = person
  const changes = {
    displayName: resident.name,
    note: resident.note,
    fields: (resident.fields ?? []).map(([name, value]) => ({ name, value })),
    locked: resident.locked ?? false,
    bot: resident.bot ?? false,
    discoverable: true,
    indexable: true,
    defaults: { language: resident.language },
  }
  // Who says nothing about themselves shows no face either.
  const [avatarPath, headerPath] = [join(folder, 'avatar.jpeg'), join(folder, 'header.jpeg')]
  if (resident.note !== '') {
    await drawAvatar({ random, path: avatarPath })
    await drawPicture({ random, width: 1_500, height: 500, path: headerPath })
  }
  const uploads = resident.note === '' ? {} : { avatarPath, headerPath }
  await updateProfile(ctx, { accountId, changes, uploads })
  return { ...person, resident, friends: [] }
}

/** Everybody follows some of the others, and nearly all follow the owner. Who is locked is asked. */
async function meet(
  ctx: BuilderCtx,
  { neighbours, random }: { neighbours: readonly Neighbour[]; random: Random },
): Promise<void> {
  for (const one of neighbours) {
    const others = neighbours.filter((other) => other !== one)
    const owner = others.filter(({ username }) => username === OWNER && random.next() < 0.9)
    one.friends = [
      ...new Set([...owner, ...random.some(others, LOGINS.includes(one.username) ? 24 : random.between(8, 18))]),
    ]
    for (const other of one.friends) {
      await ctx.write((tx) =>
        followAccount(tx, { accountId: one.accountId, targetAccountId: other.accountId, terms: {} }),
      )
    }
  }
}
