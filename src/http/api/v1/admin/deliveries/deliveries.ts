import { Type } from 'typebox'
import type { Ctx } from '../../../../../domain/context.ts'
import { findHost, listHosts } from '../../../../../domain/deliveries/host-reports.ts'
import { dropDeliveries, retryHost } from '../../../../../domain/deliveries/manage-host.ts'
import { AdminDeliveryHost } from '../../../../../entities/admin/federation/admin-delivery-host.ts'
import { ref } from '../../../../../entities/schema/ref.ts'
import { NotFoundError } from '../../../../../lib/errors.ts'
import { ADMIN_PAGE } from '../../../../../lib/page.ts'
import { canonicalDomain } from '../../../../../lib/usernames.ts'
import { renderAdminDeliveryHost } from '../../../../../render/admin/federation/render-admin-delivery-host.ts'
import type { TypedFastify } from '../../../../typed-fastify.ts'
import { staffOf } from '../../../../support/auth/authorize-routes.ts'
import {
  OFFSET_LIST_PARAMS,
  readOffsetPage,
  setOffsetLinkHeader,
} from '../../../../support/pagination/offset-pagination.ts'

const HostParams = Type.Object({ host: Type.String({ description: 'A domain, with its port if it has one.' }) })

/** Linnet's own: /api/v1/admin/deliveries. The deliveries to other servers, by host. */
export async function adminDeliveries(api: TypedFastify, ctx: Ctx): Promise<void> {
  const tags = ['admin: operations']
  const response = { 200: ref(AdminDeliveryHost) }

  api.get(
    '',
    {
      schema: {
        tags,
        summary: 'View the servers with deliveries',
        description: 'Unavailable servers first, then those with the most pending deliveries.',
        querystring: Type.Object(OFFSET_LIST_PARAMS),
        response: { 200: Type.Array(ref(AdminDeliveryHost)) },
      },
    },
    async (request, reply): Promise<AdminDeliveryHost[]> => {
      const page = readOffsetPage(request.query, { first: ADMIN_PAGE, later: ADMIN_PAGE })
      const hosts = await listHosts(ctx, { ...page, now: ctx.now() })
      setOffsetLinkHeader(ctx, { request, reply, count: hosts.length, page })
      return hosts.map(renderAdminDeliveryHost)
    },
  )

  api.get(
    '/:host',
    { schema: { tags, summary: 'View the deliveries to a server', params: HostParams, response } },
    async (request) => {
      const domain = readDomain(request.params.host)
      return renderAdminDeliveryHost(await findHost(ctx, { domain, now: ctx.now() }))
    },
  )

  api.post(
    '/:host/retry',
    {
      schema: {
        tags,
        summary: 'Retry the deliveries to a server now',
        description: 'Pending and abandoned ones. An unavailable server counts as available again.',
        params: HostParams,
        response,
      },
    },
    async (request) => {
      const domain = readDomain(request.params.host)
      await ctx.write((tx) => retryHost(tx, { domain, by: staffOf(request) }))
      return renderAdminDeliveryHost(await findHost(ctx, { domain, now: ctx.now() }))
    },
  )

  api.delete(
    '/:host',
    {
      schema: {
        tags,
        summary: 'Delete the deliveries to a server that were not delivered',
        params: HostParams,
        response: { 200: Type.Object({}) },
      },
    },
    async (request) => {
      const domain = readDomain(request.params.host)
      await ctx.write((tx) => dropDeliveries(tx, { domain, by: staffOf(request) }))
      return {}
    },
  )
}

function readDomain(text: string): string {
  const domain = canonicalDomain(text, { keepPort: true })
  if (domain === null) throw new NotFoundError()
  return domain
}
