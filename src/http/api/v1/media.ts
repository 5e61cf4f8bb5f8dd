import { Type } from 'typebox'
import type { Ctx } from '../../../domain/context.ts'
import { deleteMedia } from '../../../domain/media/delete.ts'
import { withPreviews } from '../../../domain/media/preview.ts'
import { checkOwnMedia, updateMedia } from '../../../domain/media/update.ts'
import { uploadMedia } from '../../../domain/media/upload.ts'
import { MediaAttachment } from '../../../entities/media.ts'
import { ref } from '../../../entities/ref.ts'
import { ParameterMissing } from '../../../lib/errors.ts'
import { parseFocus } from '../../../lib/focus.ts'
import { renderMedia } from '../../../render/media/render-media.ts'
import type { Api } from '../../api.ts'
import { viewerOf } from '../../support/authorise.ts'
import { BODIES_WITH_FILES, File } from '../../support/files.ts'
import { ById } from '../../support/params.ts'

const Traits = {
  description: Type.Optional(Type.String({ description: 'The alternative text.' })),
  focus: Type.Optional(Type.String({ description: '`x,y`, each from −1 to 1.' })),
  thumbnail: Type.Optional(Type.With(File, { description: 'A picture that stands for it.' })),
}

const Upload = Type.Object({ file: Type.Optional(File), ...Traits })

/**
 * `POST /api/v1/media` and `POST /api/v2/media`. Pictures are ready with the answer; of videos, sounds and animated GIFs
 * the second address answers at once, with 202, and the first one when they are ready.
 */
export async function uploads(api: Api, ctx: Ctx, { waits }: { waits: boolean }): Promise<void> {
  api.post(
    '/media',
    {
      schema: {
        tags: ['media'],
        summary: waits ? 'Upload a file, and wait until it is ready' : 'Upload a file',
        consumes: ['multipart/form-data'],
        body: Upload,
        response: { 200: ref(MediaAttachment), 202: ref(MediaAttachment) },
      },
    },
    async (request, reply) => {
      const { file, thumbnail, description = '', focus } = request.body
      if (!file) throw new ParameterMissing('file')
      const { accountId } = viewerOf(request)
      const id = await uploadMedia(ctx, {
        accountId,
        path: file.path,
        thumbnailPath: thumbnail?.path ?? null,
        description,
        focus: focus === undefined ? null : parseFocus(focus),
        waits,
      })
      const state = await checkOwnMedia(ctx, { id, accountId })
      return reply.code(state === 'ready' ? 200 : 202).send(await renderMedia(ctx, { id }))
    },
  )
}

/** Uploads that no status has yet, by their id. 206 as long as one is being worked on. */
export async function media(api: Api, ctx: Ctx): Promise<void> {
  const response = { 200: ref(MediaAttachment), 206: ref(MediaAttachment) }

  api.get(
    '/:id',
    { schema: { tags: ['media'], summary: 'See an upload', params: ById, response } },
    async (request, reply) => {
      const { id } = request.params
      const state = await checkOwnMedia(ctx, { id, accountId: viewerOf(request).accountId })
      return reply.code(state === 'ready' ? 200 : 206).send(await renderMedia(ctx, { id }))
    },
  )

  api.put(
    '/:id',
    {
      schema: {
        tags: ['media'],
        summary: 'Describe an upload',
        params: ById,
        consumes: BODIES_WITH_FILES,
        body: Type.Object(Traits),
        response,
      },
    },
    async (request, reply) => {
      const { id } = request.params
      const { description, focus, thumbnail } = request.body
      const own = { id, accountId: viewerOf(request).accountId }
      await checkOwnMedia(ctx, own)
      await withPreviews(ctx, { paths: [thumbnail?.path ?? null] }, ([preview = null]) =>
        ctx.write((tx) =>
          updateMedia(tx, {
            ...own,
            ...(description === undefined ? {} : { description }),
            ...(focus === undefined ? {} : { focus: parseFocus(focus) }),
            preview,
          }),
        ),
      )
      const state = await checkOwnMedia(ctx, own)
      return reply.code(state === 'ready' ? 200 : 206).send(await renderMedia(ctx, { id }))
    },
  )

  api.delete(
    '/:id',
    {
      schema: { tags: ['media'], summary: 'Take an upload back', params: ById, response: { 200: Type.Object({}) } },
    },
    async (request) => {
      await ctx.write((tx) => deleteMedia(tx, { id: request.params.id, accountId: viewerOf(request).accountId }))
      return {}
    },
  )
}
