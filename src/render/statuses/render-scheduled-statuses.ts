import type { Read } from '../../domain/context.ts'
import type { StatusDraft } from '../../domain/statuses/write/check-drafts.ts'
import type { ScheduledStatus } from '../../entities/statuses/scheduled-status.ts'
import { entity } from '../../lib/json/entity-json.ts'
import { NotFoundError } from '../../lib/errors.ts'
import { statement } from '../../platform/db/statement.ts'
import { MEDIA_JSON, mediaAttachment } from '../media/render-media.ts'
import type { MediaRow } from '../media/render-media.ts'

interface ScheduledRow {
  id: string
  scheduled_at: Date
  draft: StatusDraft
  application_id: string | null
  default_quote_policy: ScheduledStatus['params']['quote_approval_policy']
  media: MediaRow[] | null
}

const select = statement<{ params: { ids: readonly string[] }; row: ScheduledRow }>(
  `select p.id, p.scheduled_at, p.params as draft, p.application_id, u.default_quote_policy,
     (select jsonb_agg(${MEDIA_JSON} order by array_position(array(
         select jsonb_array_elements_text(p.params -> 'mediaIds')), m.id::text))
        from media_attachments m where m.scheduled_status_id = p.id) as media
   from unnest($ids::bigint[]) with ordinality as ids (id, position)
     join scheduled_statuses p on p.id = ids.id join users u on u.account_id = p.account_id
   order by ids.position`,
)

/** Returns scheduled statuses in the order of the ids. The caller has checked their owner. */
export async function renderScheduledStatuses(
  read: Read,
  { ids }: { ids: readonly string[] },
): Promise<ScheduledStatus[]> {
  if (ids.length === 0) return []
  return (await select(read.db, { ids })).map((row) => scheduledStatusOf(read, row))
}

/** Returns one scheduled status. @throws NotFoundError */
export async function renderScheduledStatus(read: Read, { id }: { id: string }): Promise<ScheduledStatus> {
  const [status] = await renderScheduledStatuses(read, { ids: [id] })
  if (!status) throw new NotFoundError()
  return status
}

function scheduledStatusOf(read: Read, { id, scheduled_at, draft, media, ...row }: ScheduledRow): ScheduledStatus {
  const { poll } = draft
  return entity<ScheduledStatus>({
    id,
    scheduled_at: scheduled_at.toISOString(),
    media_attachments: (media ?? []).map((attachment) => mediaAttachment(read.config, attachment)),
    params: {
      text: draft.text,
      media_ids: draft.mediaIds.length === 0 ? null : [...draft.mediaIds],
      sensitive: draft.sensitive ?? null,
      spoiler_text: draft.spoilerText === '' ? null : draft.spoilerText,
      visibility: draft.visibility ?? null,
      language: draft.language ?? null,
      scheduled_at: null,
      poll: poll
        ? {
            options: [...poll.options],
            expires_in: poll.expiresIn ?? '',
            multiple: poll.multiple,
            hide_totals: poll.hideTotals,
          }
        : null,
      idempotency: null,
      with_rate_limit: false,
      application_id: row.application_id,
      in_reply_to_id: draft.inReplyToId ?? null,
      quoted_status_id: draft.quotedId ?? null,
      quote_approval_policy: draft.quotePolicy ?? row.default_quote_policy,
      allowed_mentions: draft.allowedMentions ? [...draft.allowedMentions] : null,
    },
  })
}
