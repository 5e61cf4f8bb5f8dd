import { Type } from 'typebox'
import type { Ctx } from '../../../../../domain/context.ts'
import { removeJob, retryJob } from '../../../../../domain/jobs/manage-jobs.ts'
import { AdminJob, JobState } from '../../../../../entities/admin/operations/admin-job.ts'
import { ref } from '../../../../../entities/schema/ref.ts'
import { ADMIN_PAGE } from '../../../../../lib/page.ts'
import { listJobs } from '../../../../../platform/jobs/job-queue.ts'
import { renderAdminJob } from '../../../../../render/admin/operations/render-admin-job.ts'
import type { TypedFastify } from '../../../../typed-fastify.ts'
import { staffOf } from '../../../../support/auth/authorize-routes.ts'
import {
  OFFSET_LIST_PARAMS,
  readOffsetPage,
  setOffsetLinkHeader,
} from '../../../../support/pagination/offset-pagination.ts'

const JobParams = Type.Object({ id: Type.String() })

/** Linnet's own: /api/v1/admin/jobs. The background jobs. */
export async function adminJobs(api: TypedFastify, ctx: Ctx): Promise<void> {
  const tags = ['admin: operations']

  api.get(
    '',
    {
      schema: {
        tags,
        summary: 'View background jobs',
        description: 'Newest first.',
        querystring: Type.Object({ state: Type.Optional(JobState), ...OFFSET_LIST_PARAMS }),
        response: { 200: Type.Array(ref(AdminJob)) },
      },
    },
    async (request, reply): Promise<AdminJob[]> => {
      const { state } = request.query
      const page = readOffsetPage(request.query, { first: ADMIN_PAGE, later: ADMIN_PAGE })
      const jobs = await listJobs(ctx.db, { known: ctx.jobNames, state, ...page })
      const filters: Record<string, string> = state === undefined ? {} : { state }
      setOffsetLinkHeader(ctx, { request, reply, count: jobs.length, page, filters })
      return jobs.map(renderAdminJob)
    },
  )

  api.post(
    '/:id/retry',
    {
      schema: {
        tags,
        summary: 'Retry a dead job',
        description: '422 for a job that has attempts left.',
        params: JobParams,
        response: { 200: Type.Object({}) },
      },
    },
    async (request) => {
      await retryJob(ctx, { id: request.params.id, by: staffOf(request) })
      return {}
    },
  )

  api.delete(
    '/:id',
    {
      schema: {
        tags,
        summary: 'Delete a job',
        description: '422 for a job that runs.',
        params: JobParams,
        response: { 200: Type.Object({}) },
      },
    },
    async (request) => {
      await removeJob(ctx, { id: request.params.id, by: staffOf(request) })
      return {}
    },
  )
}
