import { join } from 'node:path'
import type { Ctx } from '../../src/domain/context.ts'
import { uploadMedia } from '../../src/domain/media/uploads/upload-media.ts'
import type { StatusDraft } from '../../src/domain/statuses/write/check-drafts.ts'
import { createStatus } from '../../src/domain/statuses/write/create-statuses.ts'
import type { CreatedUser } from '../../test/servers/create-user.ts'
import type { Random } from '../../test/oracles/random.ts'
import { drawPicture } from '../draw/draw-picture.ts'
import { isScene } from '../draw/scenes.ts'
import type { DemoPoll } from './special-posts.ts'

const IMAGE = /\s*\{(\w+): ([^}]*)\}/g

/** The sizes of images in pixels: large enough to be sharp in full width on a high-density screen. */
const SIZES: readonly (readonly [width: number, height: number])[] = [
  [1_536, 1_024],
  [1_024, 1_536],
  [1_200, 1_200],
]

const DAY_SECONDS = 86_400

/** A post of the demo. The text contains images as `{scene: description}`. */
export interface DemoPost extends Partial<Omit<StatusDraft, 'text' | 'language' | 'mediaIds' | 'poll'>> {
  text: string
  language: string
  poll?: DemoPoll
}

/** Posts a status of a demo account with its images. Returns the id of the status. */
export async function postDemoStatus(
  ctx: Ctx,
  { author, demoPost, random, folder }: { author: CreatedUser; demoPost: DemoPost; random: Random; folder: string },
): Promise<string> {
  const { accountId } = author
  const { text, poll, ...fields } = demoPost
  const mediaIds: string[] = []
  for (const [placeholder, scene = '', description = ''] of text.matchAll(IMAGE)) {
    if (!isScene(scene)) throw new Error(`There is no scene for ${placeholder}`)
    const path = join(folder, 'image.jpeg')
    const [width, height] = random.pick(SIZES)
    await drawPicture({ random, width, height, path, scene })
    const upload = { accountId, path, thumbnailPath: null, description, focus: null, waitUntilReady: true }
    mediaIds.push(await uploadMedia(ctx, upload))
  }
  const draft: StatusDraft = {
    spoilerText: '',
    visibility: 'public',
    sensitive: false,
    localOnly: false,
    ...fields,
    text: text.replaceAll(IMAGE, ''),
    mediaIds,
    poll: poll && {
      options: poll.options,
      expiresIn: poll.days * DAY_SECONDS,
      multiple: poll.multiple ?? false,
      hideTotals: false,
    },
  }
  return ctx.write((tx) => createStatus(tx, { accountId, applicationId: null, draft }))
}
