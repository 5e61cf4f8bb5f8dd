import { Type } from 'typebox'
import type { Ctx } from '../../../domain/context.ts'
import { checkOwnMedia, updateMedia } from '../../../domain/media/update.ts'
import { uploadImage } from '../../../domain/media/upload.ts'
import { MediaAttachment } from '../../../entities/media.ts'
import { ref } from '../../../entities/ref.ts'
import { ParameterMissing } from '../../../lib/errors.ts'
import { parseFocus } from '../../../lib/focus.ts'
import { renderMedia } from '../../../render/media.ts'
import type { Api } from '../../api.ts'
import { viewerOf } from '../../support/authorise.ts'
import { File } from '../../support/files.ts'
import { ById } from '../../support/params.ts'

const Traits = {
  description: Type.Optional(Type.String({ description: 'The alternative text.' })),
  focus: Type.Optional(Type.String({ description: '`x,y`, each from −1 to 1.' })),
}

const Upload = Type.Object({ file: Type.Optional(File), ...Traits })

/** `POST /api/v1/media` and `POST /api/v2/media`: a picture is ready with the answer, so both are the same. */
export async function uploads(api: Api, ctx: Ctx): Promise<void> {
  api.post(
    '/media',
    {
      schema: {
        tags: ['media'],
        summary: 'Upload a picture',
        consumes: ['multipart/form-data'],
        body: Upload,
        response: { 200: ref(MediaAttachment) },
      },
    },
    async (request) => {
      const { file, description = '', focus } = request.body
      if (!file) throw new ParameterMissing('file')
      const id = await uploadImage(ctx, {
        accountId: viewerOf(request).accountId,
        path: file.path,
        description,
        focus: focus === undefined ? null : parseFocus(focus),
      })
      return renderMedia(ctx, { id })
    },
  )
}

/** Uploads that no status has yet, by their id. */
export async function media(api: Api, ctx: Ctx): Promise<void> {
  api.get(
    '/:id',
    { schema: { tags: ['media'], summary: 'See an upload', params: ById, response: { 200: ref(MediaAttachment) } } },
    async (request) => {
      await checkOwnMedia(ctx, { id: request.params.id, accountId: viewerOf(request).accountId })
      return renderMedia(ctx, { id: request.params.id })
    },
  )

  api.put(
    '/:id',
    {
      schema: {
        tags: ['media'],
        summary: 'Describe an upload',
        params: ById,
        body: Type.Object(Traits),
        response: { 200: ref(MediaAttachment) },
      },
    },
    async (request) => {
      const { description, focus } = request.body
      await ctx.write((tx) =>
        updateMedia(tx, {
          id: request.params.id,
          accountId: viewerOf(request).accountId,
          ...(description === undefined ? {} : { description }),
          ...(focus === undefined ? {} : { focus: parseFocus(focus) }),
        }),
      )
      return renderMedia(ctx, { id: request.params.id })
    },
  )
}
