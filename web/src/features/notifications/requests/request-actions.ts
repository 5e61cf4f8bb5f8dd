import { useQueryClient } from '@tanstack/react-query'
import type { InfiniteData, QueryClient } from '@tanstack/react-query'
import type { NotificationRequest } from '../../../lib/api/entities.ts'
import { message } from '../../../lib/i18n/messages.ts'
import { changeAtOnce } from '../../../lib/change-at-once.ts'
import { api } from '../../../lib/session.ts'
import { announce } from '../../../ui/notices/announcer.ts'
import { showToast } from '../../../ui/notices/toasts.tsx'
import { policyQuery, requestsQuery } from '../notification-queries.ts'

export type RequestDecision = 'accept' | 'dismiss'

type RequestPages = InfiniteData<NotificationRequest[], string | undefined>

type Decide = (decision: RequestDecision, ids: readonly string[]) => void

/** Returns a function that accepts or dismisses requests. They disappear at once, and return if the server refuses. */
export function useRequestDecision(): Decide {
  const client = useQueryClient()
  const decide: Decide = (decision, ids) => void send(client, { decision, ids, retry: () => decide(decision, ids) })
  return decide
}

async function send(
  client: QueryClient,
  { decision, ids, retry }: { decision: RequestDecision; ids: readonly string[]; retry: () => void },
): Promise<void> {
  try {
    await changeAtOnce<RequestPages>(client, requestsQuery.queryKey, {
      change: (data) => ({ ...data, pages: data.pages.map((page) => page.filter(({ id }) => !ids.includes(id))) }),
      // The types of masto.js do not have the parameter.
      request: () => api().v1.notifications.requests[decision]({ id: ids } as never),
    })
    announce(message(`web.notifications.requests-${decision}ed`, { count: ids.length }))
    await client.invalidateQueries({ queryKey: policyQuery.queryKey })
  } catch {
    showToast({
      kind: 'alert',
      text: message('web.notifications.decision-failed'),
      action: { label: message('web.retry'), run: retry },
    })
  }
}
