import swagger from '@fastify/swagger'
import type { FastifyInstance, FastifySchema, RouteOptions } from 'fastify'
import type { Ctx } from '../domain/context.ts'
import { ErrorBody } from '../entities/error.ts'
import { ref } from '../entities/ref.ts'
import { entities } from '../entities/registry.ts'
import { ALL_SCOPES } from '../lib/scopes.ts'
import type { Access } from './support/terms.ts'

/** What programs ask, beside pages and files. */
const DESCRIBED = /^\/(api|oauth|health|livez|readyz|\.well-known|nodeinfo)(\/|$)/

type Security = Record<string, string[]>[]

/** The API's description, made from the very schemas that requests are read by. */
export async function describeApi(app: FastifyInstance, ctx: Ctx): Promise<void> {
  for (const entity of Object.values(entities)) app.addSchema(entity)
  const { origin, version } = ctx.config
  const scopes = Object.fromEntries(ALL_SCOPES.map((scope) => [scope, `The scope ${scope}`]))
  const tokenUrl = `${origin}/oauth/token`
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Linnet',
        version,
        description: "Mastodon's client API as this server speaks it.",
        license: { name: 'AGPL-3.0-only', identifier: 'AGPL-3.0-only' },
      },
      servers: [{ url: origin }],
      components: {
        securitySchemes: {
          token: {
            type: 'oauth2',
            flows: {
              authorizationCode: { authorizationUrl: `${origin}/oauth/authorize`, tokenUrl, scopes },
              clientCredentials: { tokenUrl, scopes },
            },
          },
        },
      },
    },
    transformObject(given) {
      const document = 'openapiObject' in given ? given.openapiObject : {}
      const paths = Object.values((document.paths ?? {}) as Record<string, Record<string, Operation>>)
      for (const operation of paths.flatMap((path) => Object.values(path))) {
        relaxBody(operation)
        nameLists(operation)
      }
      return document
    },
    transform: ({ schema, url, route }) => ({ schema: describeRoute(route, schema), url }),
    refResolver: {
      buildLocalReference: (json, _base, _fragment, i) => (typeof json.$id === 'string' ? json.$id : `def-${i}`),
    },
  })
}

/** What the document says of a route beyond its own schema: who may call it, in which forms, and how it refuses. */
function describeRoute(route: RouteOptions, schema: FastifySchema | undefined): FastifySchema {
  const access = route.config?.access
  const isPage = access?.caller === 'page'
  if (!access || isPage || access.cache === 'file' || !DESCRIBED.test(route.url) || !schema?.tags) return { hide: true }
  return {
    ...schema,
    ...(schema.body ? { consumes: schema.consumes ?? FORMS } : {}),
    security: securityOf(access),
    response: { ...(schema.response as object), default: refusal },
  }
}

const refusal = { description: 'A refusal', content: { 'application/json': { schema: ref(ErrorBody) } } }

const FORMS = ['application/json', 'application/x-www-form-urlencoded', 'multipart/form-data']

/** One entry per way to be let in: each scope of the row is one, and `{}` is none at all. */
function securityOf({ caller, scopes }: Access): Security {
  if (caller === 'open') return []
  const ways: Security = scopes.length === 0 ? [{ token: [] }] : scopes.map((scope) => ({ token: [scope] }))
  return caller === 'optional' ? [{}, ...ways] : ways
}

/** The parts of an operation that are set right afterwards. */
interface Operation {
  requestBody?: { required?: boolean; content: Record<string, { schema: { required?: string[] } }> }
  parameters?: { in: string; name: string; schema: { type?: string } }[]
}

/** A body without a required field may be left out. */
function relaxBody({ requestBody }: Operation): void {
  const [content] = Object.values(requestBody?.content ?? {})
  if (requestBody && !content?.schema.required?.length) requestBody.required = false
}

/** A list is sent as `id[]=1&id[]=2`; of a name that is repeated without brackets, the last one counts. */
function nameLists({ parameters = [] }: Operation): void {
  for (const parameter of parameters) {
    if (parameter.in === 'query' && parameter.schema.type === 'array') parameter.name += '[]'
  }
}
