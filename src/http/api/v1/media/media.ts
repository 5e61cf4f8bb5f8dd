import { Type } from 'typebox'
import type { Ctx } from '../../../../domain/context.ts'
import { deleteMedia } from '../../../../domain/media/uploads/delete-media.ts'
import { withPreviews } from '../../../../domain/media/uploads/store-preview.ts'
import { checkOwnUpload, updateMedia } from '../../../../domain/media/uploads/update-media.ts'
import { uploadMedia } from '../../../../domain/media/uploads/upload-media.ts'
import { MediaAttachment } from '../../../../entities/statuses/media.ts'
import { ref } from '../../../../entities/schema/ref.ts'
import { ParameterMissingError } from '../../../../lib/errors.ts'
import { parseFocalPoint } from '../../../../lib/parse-focal-point.ts'
import { renderMedia } from '../../../../render/media/render-media.ts'
import type { TypedFastify } from '../../../typed-fastify.ts'
import { viewerOf } from '../../../support/auth/authorize-routes.ts'
import { BODY_TYPES_WITH_FILES, FileParam } from '../../../support/uploads/uploaded-file.ts'
import { IdParams } from '../../../support/request/path-params.ts'
import { deprecatedSince } from '../../../support/response/deprecation.ts'

/** The date of Mastodon 3.1.3, which added POST /api/v2/media (UTC). */
const SUPERSEDED_AT = '2020-04-05'

const MEDIA_PARAMS = {
  description: Type.Optional(Type.String({ description: 'The alternative text.' })),
  focus: Type.Optional(Type.String({ description: '`x,y`, each from −1 to 1.' })),
  thumbnail: Type.Optional(Type.With(FileParam, { description: 'A custom thumbnail.' })),
}

const Upload = Type.Object({ file: Type.Optional(FileParam), ...MEDIA_PARAMS })

/**
 * Mastodon: POST /api/v1/media, POST /api/v2/media. Images are processed before the response. For videos, audio and
 * animated GIFs, v2 responds at once with 202; v1 (`waits`) responds when the processing is done.
 */
export async function uploads(
  api: TypedFastify,
  ctx: Ctx,
  { waits: waitsForProcessing }: { waits: boolean },
): Promise<void> {
  api.post(
    '/media',
    {
      schema: {
        tags: ['media'],
        ...(waitsForProcessing ? deprecatedSince(SUPERSEDED_AT) : {}),
        summary: waitsForProcessing ? 'Upload a media file and wait until it is processed' : 'Upload a media file',
        consumes: ['multipart/form-data'],
        body: Upload,
        response: { 200: ref(MediaAttachment), 202: ref(MediaAttachment) },
      },
    },
    async (request, reply) => {
      const { file, thumbnail, description = '', focus } = request.body
      if (!file) throw new ParameterMissingError('file')
      const { accountId } = viewerOf(request)
      const id = await uploadMedia(ctx, {
        accountId,
        path: file.path,
        thumbnailPath: thumbnail?.path ?? null,
        description,
        focus: focus === undefined ? null : parseFocalPoint(focus),
        waitUntilReady: waitsForProcessing,
      })
      const state = await checkOwnUpload(ctx, { id, accountId })
      return reply.code(state === 'ready' ? 200 : 202).send(await renderMedia(ctx, { id }))
    },
  )
}

/**
 * Mastodon: GET, PUT and DELETE /api/v1/media/:id. The viewer's uploads that are not attached to a status yet; responds
 * with 206 while an upload is being processed.
 */
export async function media(api: TypedFastify, ctx: Ctx): Promise<void> {
  const response = { 200: ref(MediaAttachment), 206: ref(MediaAttachment) }

  api.get(
    '/:id',
    { schema: { tags: ['media'], summary: 'View an uploaded media file', params: IdParams, response } },
    async (request, reply) => {
      const { id } = request.params
      const state = await checkOwnUpload(ctx, { id, accountId: viewerOf(request).accountId })
      return reply.code(state === 'ready' ? 200 : 206).send(await renderMedia(ctx, { id }))
    },
  )

  api.put(
    '/:id',
    {
      schema: {
        tags: ['media'],
        summary: 'Update the description, focal point or thumbnail of an upload',
        params: IdParams,
        consumes: BODY_TYPES_WITH_FILES,
        body: Type.Object(MEDIA_PARAMS),
        response,
      },
    },
    async (request, reply) => {
      const { id } = request.params
      const { description, focus, thumbnail } = request.body
      const own = { id, accountId: viewerOf(request).accountId }
      await checkOwnUpload(ctx, own)
      await withPreviews(ctx, { paths: [thumbnail?.path ?? null] }, ([preview = null]) =>
        ctx.write((tx) =>
          updateMedia(tx, {
            ...own,
            ...(description === undefined ? {} : { description }),
            ...(focus === undefined ? {} : { focus: parseFocalPoint(focus) }),
            preview,
          }),
        ),
      )
      const state = await checkOwnUpload(ctx, own)
      return reply.code(state === 'ready' ? 200 : 206).send(await renderMedia(ctx, { id }))
    },
  )

  api.delete(
    '/:id',
    {
      schema: {
        tags: ['media'],
        summary: 'Delete an uploaded media file',
        params: IdParams,
        response: { 200: Type.Object({}) },
      },
    },
    async (request) => {
      await ctx.write((tx) => deleteMedia(tx, { id: request.params.id, accountId: viewerOf(request).accountId }))
      return {}
    },
  )
}
