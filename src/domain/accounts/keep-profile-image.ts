import { randomBytes } from 'node:crypto'
import { processAvatar, processHeader } from '../../platform/media/profile-image.ts'
import type { Ctx } from '../context.ts'

/** Where the files of a new avatar or header lie; both keys are the same for a picture that stands still. */
export interface ProfileImageKeys {
  key: string
  staticKey: string
}

/**
 * Makes an avatar or a header of an uploaded picture and keeps its files; the account does not show them yet.
 * Refuses as `processAvatar` does, and with `StorageFull`.
 */
export async function keepProfileImage(
  ctx: Pick<Ctx, 'storage'>,
  { kind, path }: { kind: 'avatar' | 'header'; path: string },
): Promise<ProfileImageKeys> {
  const image = await (kind === 'avatar' ? processAvatar : processHeader)({ path })
  const name = randomBytes(16).toString('hex')
  const folder = `${kind}s/${name.slice(0, 2)}/${name}`
  const key = `${folder}.${image.original.extension}`
  await ctx.storage.put({ key, body: image.original.buffer, contentType: image.original.contentType })
  if (!image.static) return { key, staticKey: key }
  const staticKey = `${folder}-static.${image.static.extension}`
  try {
    await ctx.storage.put({ key: staticKey, body: image.static.buffer, contentType: image.static.contentType })
  } catch (err) {
    await ctx.storage.remove({ keys: [key] }).catch(() => {})
    throw err
  }
  return { key, staticKey }
}
