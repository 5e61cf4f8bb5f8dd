import swagger from '@fastify/swagger'
import type { FastifyInstance } from 'fastify'
import type { Ctx } from '../domain/context.ts'
import { entities } from '../entities/registry.ts'

/** The API's description, made from the very schemas that requests are read by. */
export async function describeApi(app: FastifyInstance, ctx: Ctx): Promise<void> {
  for (const entity of Object.values(entities)) app.addSchema(entity)
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Linnet',
        version: ctx.config.version,
        description: "Mastodon's client API as this server speaks it.",
        license: { name: 'AGPL-3.0-only' },
      },
      servers: [{ url: ctx.config.origin }],
      components: {
        securitySchemes: {
          token: {
            type: 'oauth2',
            flows: {
              authorizationCode: {
                authorizationUrl: `${ctx.config.origin}/oauth/authorize`,
                tokenUrl: `${ctx.config.origin}/oauth/token`,
                scopes: {},
              },
            },
          },
        },
      },
    },
    hideUntagged: false,
    refResolver: {
      buildLocalReference: (json, _base, _fragment, i) => (typeof json.$id === 'string' ? json.$id : `def-${i}`),
    },
  })
}
