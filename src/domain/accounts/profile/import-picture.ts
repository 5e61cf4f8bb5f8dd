import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { BadGatewayError, NotFoundError, UnprocessableError } from '../../../lib/errors.ts'
import { statement } from '../../../platform/db/statement.ts'
import { profileImageMaxBytes } from '../../../platform/media/images/image-limits.ts'
import type { Ctx } from '../../context.ts'
import { fetchFile } from '../../media/remote-cache/fetch-file.ts'
import { storeProfileImage } from './store-profile-image.ts'
import type { ProfileImageKeys } from './store-profile-image.ts'

const WITHOUT_AVATAR = `id = $accountId and domain is null and suspended_at is null and avatar_key is null`

const find = statement<{ params: { accountId: string }; row: { id: string } }>(
  `select id from accounts where ${WITHOUT_AVATAR}`,
)
const setAvatar = statement<{
  params: { accountId: string; key: string; staticKey: string; now: Date }
  row: { id: string }
}>(
  `update accounts set avatar_key = $key, avatar_static_key = $staticKey, version = version + 1, updated_at = $now
   where ${WITHOUT_AVATAR} returning id`,
)

/**
 * Effect: fetches the picture that the provider of an external log-in has of a new user, as the avatar. It is fetched
 * like a file of any other server, since users can often choose the address. If that fails, or the user has chosen an
 * avatar meanwhile, nothing changes.
 */
export async function importPicture(ctx: Ctx, { accountId, url }: { accountId: string; url: string }): Promise<void> {
  if ((await find(ctx.db, { accountId })).length === 0) return
  const image = await fetchPicture(ctx, { accountId, url })
  if (!image) return
  const isSet = await ctx
    .write(async (tx) => {
      const [updated] = await setAvatar(tx.db, { accountId, ...image, now: tx.now })
      if (updated) tx.emit('account.updated', { accountId, mediaKeys: [] })
      return updated !== undefined
    })
    .catch(async (err: unknown) => {
      await removeImage(ctx, image)
      throw err
    })
  if (!isSet) await removeImage(ctx, image)
}

/** Returns the stored files of the picture; null if it cannot be fetched, or is no image. */
async function fetchPicture(
  ctx: Ctx,
  { accountId, url }: { accountId: string; url: string },
): Promise<ProfileImageKeys | null> {
  // The folder of temporary files of requests, which the server empties at its start.
  const root = join(ctx.config.dataDir, 'uploads')
  await mkdir(root, { recursive: true, mode: 0o700 })
  const folder = await mkdtemp(join(root, 'picture-'))
  try {
    const path = join(folder, 'file')
    await fetchFile(ctx, { url, path, maxBytes: profileImageMaxBytes })
    return await storeProfileImage(ctx, { kind: 'avatar', path })
  } catch (err) {
    const isFinal = [NotFoundError, BadGatewayError, UnprocessableError].some((kind) => err instanceof kind)
    if (!isFinal) throw err
    ctx.log.debug({ err, accountId }, 'Could not import the picture of a new user')
    return null
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function removeImage(ctx: Ctx, { key, staticKey }: ProfileImageKeys): Promise<void> {
  await ctx.storage.remove({ keys: [...new Set([key, staticKey])] }).catch(() => {})
}
