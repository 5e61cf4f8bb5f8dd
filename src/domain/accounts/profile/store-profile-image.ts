import { randomBytes } from 'node:crypto'
import { processAvatar, processHeader } from '../../../platform/media/images/process-profile-image.ts'
import { putAll } from '../../../platform/storage/put-all.ts'
import type { Ctx } from '../../context.ts'

/** The storage keys of a new avatar or header; both are the same unless the image is animated. */
export interface ProfileImageKeys {
  key: string
  staticKey: string
}

/**
 * Converts an uploaded image to an avatar or header and stores its files. Does not change the account.
 * @throws as `processAvatar` and `processHeader`; StorageFullError
 */
export async function storeProfileImage(
  ctx: Pick<Ctx, 'storage'>,
  { kind, path }: { kind: 'avatar' | 'header'; path: string },
): Promise<ProfileImageKeys> {
  const image = await (kind === 'avatar' ? processAvatar : processHeader)({ path })
  const name = randomBytes(16).toString('hex')
  const folder = `${kind}s/${name.slice(0, 2)}/${name}`
  const key = `${folder}.${image.original.extension}`
  const staticKey = image.static ? `${folder}-static.${image.static.extension}` : key
  await putAll(ctx.storage, [
    { key, body: image.original.buffer, contentType: image.original.contentType },
    ...(image.static ? [{ key: staticKey, body: image.static.buffer, contentType: image.static.contentType }] : []),
  ])
  return { key, staticKey }
}
