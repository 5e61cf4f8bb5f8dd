import type { FastifyInstance } from 'fastify'
import type { Ctx } from '../domain/context.ts'
import { apiDocs } from './api-docs.ts'
import { instance } from './api/instance.ts'
import { media, uploads } from './api/v1/media.ts'
import { statusActions } from './api/v1/statuses/actions.ts'
import { statuses } from './api/v1/statuses/index.ts'
import { timelines } from './api/v1/timelines.ts'
import type { Api } from './api.ts'
import { assets } from './assets.ts'
import { files } from './files.ts'
import { health } from './health.ts'

/** The table of contents: prefix → file. */
export async function routes(app: FastifyInstance, ctx: Ctx): Promise<void> {
  const mount = (prefix: string, file: (api: Api, ctx: Ctx) => Promise<void>) =>
    app.register(async (api) => file(api as unknown as Api, ctx), { prefix })

  await mount('/', files)
  await mount('/', assets)
  await mount('/', instance)
  await mount('/api/v1', uploads)
  await mount('/api/v2', uploads)
  await mount('/api/v1/media', media)
  await mount('/api/v1/statuses', statuses)
  await mount('/api/v1/statuses', statusActions)
  await mount('/api/v1/timelines', timelines)
  await health(app, ctx)
  await apiDocs(app, ctx)
}
