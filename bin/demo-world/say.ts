import { join } from 'node:path'
import type { Ctx } from '../../src/domain/context.ts'
import { uploadMedia } from '../../src/domain/media/upload.ts'
import type { Draft } from '../../src/domain/statuses/draft.ts'
import { postStatus } from '../../src/domain/statuses/post.ts'
import type { CreatedPerson } from '../../test/create-person.ts'
import type { Random } from '../../test/random.ts'
import { drawPicture } from '../draw.ts'
import { isScene } from '../draw/scenes.ts'
import type { Poll } from './extras.ts'

const PICTURE = /\s*\{(\w+): ([^}]*)\}/g

/** Pixels: large enough to be sharp in full width on a dense screen. */
const SIZES: readonly (readonly [width: number, height: number])[] = [
  [1_536, 1_024],
  [1_024, 1_536],
  [1_200, 1_200],
]

const DAY_SECONDS = 86_400

/** What is posted. Pictures are written into the text as `{scene: description}`. */
export interface Saying extends Partial<Omit<Draft, 'text' | 'language' | 'mediaIds' | 'poll'>> {
  text: string
  language: string
  poll?: Poll
}

/** Posts what a resident says, with its pictures. Returns the id of the status. */
export async function say(
  ctx: Ctx,
  { by, saying, random, folder }: { by: CreatedPerson; saying: Saying; random: Random; folder: string },
): Promise<string> {
  const { accountId } = by
  const { text, poll, ...rest } = saying
  const mediaIds: string[] = []
  for (const [written, scene = '', description = ''] of text.matchAll(PICTURE)) {
    if (!isScene(scene)) throw new Error(`There is no scene for ${written}`)
    const path = join(folder, 'picture.jpeg')
    const [width, height] = random.pick(SIZES)
    await drawPicture({ random, width, height, path, scene })
    const upload = { accountId, path, thumbnailPath: null, description, focus: null, waits: true }
    mediaIds.push(await uploadMedia(ctx, upload))
  }
  const draft: Draft = {
    spoilerText: '',
    visibility: 'public',
    sensitive: false,
    localOnly: false,
    ...rest,
    text: text.replaceAll(PICTURE, ''),
    mediaIds,
    poll: poll && {
      options: poll.options,
      expiresIn: poll.days * DAY_SECONDS,
      multiple: poll.multiple ?? false,
      hideTotals: false,
    },
  }
  return ctx.write((tx) => postStatus(tx, { accountId, applicationId: null, draft }))
}
