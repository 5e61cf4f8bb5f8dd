import type {
  FastifyBaseLogger,
  FastifyInstance,
  FastifyReply,
  FastifyRequest,
  FastifySchema,
  FastifyTypeProvider,
  RawServerDefault,
  RouteGenericInterface,
} from 'fastify'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Static, TSchema } from 'typebox'
import type { CachedRead, Ctx } from '../domain/context.ts'
import { openReadContext, readContextOf } from './support/read-context.ts'

/** Derives the types of requests and replies from the TypeBox schemas of a route. */
interface TypeBoxProvider extends FastifyTypeProvider {
  validator: this['schema'] extends TSchema ? Static<this['schema']> : unknown
  serializer: this['schema'] extends TSchema ? Static<this['schema']> : unknown
}

/** The Fastify instance on which a file registers its routes. */
export type TypedFastify = FastifyInstance<
  RawServerDefault,
  IncomingMessage,
  ServerResponse,
  FastifyBaseLogger,
  TypeBoxProvider
>

type RequestOf<Schema extends FastifySchema> = FastifyRequest<
  RouteGenericInterface,
  RawServerDefault,
  IncomingMessage,
  Schema,
  TypeBoxProvider
>

/** Runs before the handler and may write. Returns whether it did. */
type Prepare = (ctx: Ctx, exchange: { request: FastifyRequest; reply: FastifyReply }) => Promise<boolean>

/**
 * The API on which a file registers routes that only read. Handlers get no `Ctx`, so they cannot write; they share the
 * read context of their request, for which invalidations are checked once.
 */
export class ReadApi {
  readonly #api: TypedFastify
  readonly #ctx: Ctx

  constructor(api: TypedFastify, ctx: Ctx) {
    this.#api = api
    this.#ctx = ctx
  }

  get<const Schema extends FastifySchema>(
    url: string,
    { schema, prepare }: { schema: Schema; prepare?: Prepare },
    handler: (read: CachedRead, request: RequestOf<Schema>, reply: FastifyReply) => Promise<FastifyReply>,
  ): void {
    const ctx = this.#ctx
    const handle = async (request: FastifyRequest, reply: FastifyReply) => {
      const hasWritten = prepare !== undefined && (await prepare(ctx, { request, reply }))
      const read = await (hasWritten ? openReadContext(ctx, request) : readContextOf(ctx, request))
      return handler(read, request as RequestOf<Schema>, reply)
    }
    // Fastify derives the type of the reply from the schema, too, but these handlers send bytes.
    this.#api.get(url, { schema }, handle as never)
  }
}
