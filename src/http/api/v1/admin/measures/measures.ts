import { Type } from 'typebox'
import type { TSchema } from 'typebox'
import type { Ctx } from '../../../../../domain/context.ts'
import { createPeriod } from '../../../../../domain/metrics/period.ts'
import type { Period } from '../../../../../domain/metrics/period.ts'
import {
  INSTANCE_DIMENSION_KEYS,
  readDimensions,
  SERVER_DIMENSION_KEYS,
  TAG_DIMENSION_KEYS,
} from '../../../../../domain/metrics/read-dimensions.ts'
import {
  INSTANCE_MEASURE_KEYS,
  readMeasures,
  SERVER_MEASURE_KEYS,
  TAG_MEASURE_KEYS,
} from '../../../../../domain/metrics/read-measures.ts'
import { readRetention } from '../../../../../domain/metrics/read-retention.ts'
import { AdminCohort, AdminDimension, AdminMeasure } from '../../../../../entities/admin/operations/admin-metrics.ts'
import { ref } from '../../../../../entities/schema/ref.ts'
import { ParameterMissingError, ValidationError } from '../../../../../lib/errors.ts'
import { ADMIN_PAGE } from '../../../../../lib/page.ts'
import { parseTimestamp } from '../../../../../lib/time/parse-timestamp.ts'
import { canonicalDomain } from '../../../../../lib/usernames.ts'
import { renderCohort, renderDimension, renderMeasure } from '../../../../../render/admin/operations/render-metrics.ts'
import type { TypedFastify } from '../../../../typed-fastify.ts'
import { readLimit } from '../../../../support/pagination/cursor-pagination.ts'

/** The days of a period without `start_at`. */
const DEFAULT_DAYS = 30

const OfTag = Type.Optional(Type.Object({ id: Type.Optional(Type.String()) }, { description: 'The hashtag.' }))
const OfInstance = Type.Optional(Type.Object({ domain: Type.Optional(Type.String()) }, { description: 'The server.' }))

function fieldsOf<Key extends string, Field extends TSchema>(keys: readonly Key[], field: Field): Record<Key, Field> {
  return Object.fromEntries(keys.map((key) => [key, field])) as Record<Key, Field>
}

const PERIOD = {
  start_at: Type.String({ description: 'The first day (ISO 8601, UTC). A time is ignored.' }),
  end_at: Type.String({ description: 'The last day, at most 365 days after the first one.' }),
}
const describeKeys = (...keys: (readonly string[])[]) =>
  Type.Array(Type.String(), {
    description: `Of ${keys.flat().join(', ')}. Others are ignored. Those that begin with \`tag_\` and \`instance_\` need the parameter of their name.`,
  })

const Measures = Type.Object({
  keys: describeKeys(SERVER_MEASURE_KEYS, TAG_MEASURE_KEYS, INSTANCE_MEASURE_KEYS),
  ...PERIOD,
  ...fieldsOf(TAG_MEASURE_KEYS, OfTag),
  ...fieldsOf(INSTANCE_MEASURE_KEYS, OfInstance),
})
const Dimensions = Type.Object({
  keys: describeKeys(SERVER_DIMENSION_KEYS, TAG_DIMENSION_KEYS, INSTANCE_DIMENSION_KEYS),
  start_at: Type.Optional(PERIOD.start_at),
  end_at: Type.Optional(PERIOD.end_at),
  limit: Type.Optional(Type.Integer({ description: 'The maximum number of values of each dimension.' })),
  ...fieldsOf(TAG_DIMENSION_KEYS, OfTag),
  ...fieldsOf(INSTANCE_DIMENSION_KEYS, OfInstance),
})
const Retention = Type.Object({
  ...PERIOD,
  frequency: Type.Optional(Type.String({ description: '`month`; everything else is `day`.' })),
})

/** Mastodon: POST /api/v1/admin/measures, POST /api/v1/admin/dimensions, POST /api/v1/admin/retention */
export async function adminMeasures(api: TypedFastify, ctx: Ctx): Promise<void> {
  const tags = ['admin: measures']

  api.post(
    '/measures',
    {
      schema: { tags, summary: 'Get measures', body: Measures, response: { 200: Type.Array(ref(AdminMeasure)) } },
    },
    async ({ body }, reply) => {
      const period = readPeriod(body)
      const requests = readRequests(body, {
        ofServer: SERVER_MEASURE_KEYS,
        ofTag: TAG_MEASURE_KEYS,
        ofInstance: INSTANCE_MEASURE_KEYS,
      })
      const measures = await ctx.readStale(readMeasures, { requests, period })
      return reply.send(measures.map((measure) => renderMeasure(measure, period)))
    },
  )

  api.post(
    '/dimensions',
    {
      schema: {
        tags,
        summary: 'Get dimensions',
        description: `Without \`start_at\`, of ${DEFAULT_DAYS} days; without \`end_at\`, until today.`,
        body: Dimensions,
        response: { 200: Type.Array(ref(AdminDimension)) },
      },
    },
    async ({ body }, reply) => {
      const period = readRecentPeriod(body, { now: ctx.now() })
      const requests = readRequests(body, {
        ofServer: SERVER_DIMENSION_KEYS,
        ofTag: TAG_DIMENSION_KEYS,
        ofInstance: INSTANCE_DIMENSION_KEYS,
      })
      const dimensions = await ctx.readStale(readDimensions, {
        requests,
        period,
        limit: readLimit(body.limit, ADMIN_PAGE),
      })
      return reply.send(dimensions.map((dimension) => renderDimension(ctx, dimension)))
    },
  )

  api.post(
    '/retention',
    {
      schema: {
        tags,
        summary: 'Get the retention of users',
        description: 'At most 100 days, or the months of 366 days.',
        body: Retention,
        response: { 200: Type.Array(ref(AdminCohort)) },
      },
    },
    async ({ body }, reply) => {
      const frequency = body.frequency === 'month' ? 'month' : 'day'
      const cohorts = await ctx.readStale(readRetention, { period: readPeriod(body), frequency })
      return reply.send(cohorts.map((cohort) => renderCohort(cohort, frequency)))
    },
  )
}

/** Returns the period of a request. @throws ValidationError */
function readPeriod({ start_at: start, end_at: end }: { start_at: string; end_at: string }): Period {
  return createPeriod({ startAt: readTime('start_at', start), endAt: readTime('end_at', end) })
}

/** Returns the period of a request that may lack a bound: `DEFAULT_DAYS`, until today. @throws ValidationError */
function readRecentPeriod(
  { start_at: start, end_at: end }: { start_at?: string; end_at?: string },
  { now }: { now: Date },
): Period {
  const endAt = end === undefined ? now : readTime('end_at', end)
  const defaultStart = new Date(endAt.getTime() - (DEFAULT_DAYS - 1) * 86_400_000)
  return createPeriod({ startAt: start === undefined ? defaultStart : readTime('start_at', start), endAt })
}

function readTime(attribute: string, text: string): Date {
  const time = parseTimestamp(text.trim())
  if (time === null) throw new ValidationError([{ attribute, code: 'ERR_INVALID', text: 'is invalid' }])
  return time
}

type Requested<Server, Tag, Instance> =
  | { key: Server }
  | { key: Tag; tagId: string }
  | { key: Instance; domain: string }

/**
 * Returns what the known keys of a request ask for, once each.
 * @throws ParameterMissingError without keys, and if a key lacks the parameter of its name
 */
function readRequests<Server extends string, Tag extends string, Instance extends string>(
  body: { keys: string[] } & { [Key in Tag]?: { id?: string } } & { [Key in Instance]?: { domain?: string } },
  known: { ofServer: readonly Server[]; ofTag: readonly Tag[]; ofInstance: readonly Instance[] },
): Requested<Server, Tag, Instance>[] {
  if (body.keys.length === 0) throw new ParameterMissingError('keys')
  const findIn = <Key extends string>(keys: readonly Key[], name: string) => keys.find((key) => key === name)
  return [...new Set(body.keys)].flatMap((name): Requested<Server, Tag, Instance>[] => {
    const key = findIn(known.ofServer, name)
    if (key !== undefined) return [{ key }]
    const tagKey = findIn(known.ofTag, name)
    if (tagKey !== undefined) return [{ key: tagKey, tagId: required(tagKey, body[tagKey]?.id) }]
    const instanceKey = findIn(known.ofInstance, name)
    if (instanceKey === undefined) return []
    const domain = required(instanceKey, body[instanceKey]?.domain)
    return [{ key: instanceKey, domain: canonicalDomain(domain, { keepPort: true }) ?? '' }]
  })
}

function required(key: string, value: string | undefined): string {
  if (value === undefined || value === '') throw new ParameterMissingError(key)
  return value
}
