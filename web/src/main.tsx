import { MutationCache, QueryCache, QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import '../../src/http/pages/layout/tokens.css'
import './ui/base.css'
import './ui/buttons.css'
import './ui/print.css'
import './ui/page/starting.css'
import { openTimeline, waitForFirstPosts } from './features/timelines/open-timeline.ts'
import { hasStoredPosition } from './features/timelines/scroll-positions.ts'
import { timelineKey } from './features/timelines/timeline-sources.ts'
import { checkToken, renewOnUnauthorized } from './lib/api/renew-on-unauthorized.ts'
import { LogInRequiredError, logInPath } from './lib/auth/authorize.ts'
import { prepareFormats } from './lib/i18n/formats.ts'
import { loadMessages } from './lib/i18n/messages.ts'
import { api, currentAccountId, onRenewal, openSession } from './lib/session.ts'
import { startData } from './lib/start-data.ts'
import { openSettings } from './lib/settings.ts'
import { router } from './routes/router.tsx'

const queryClient = new QueryClient({
  // Without a network, a change fails at once, with its message. Some actions wait for one (`action-queue.ts`).
  defaultOptions: { queries: { staleTime: 30_000, retry: 1 }, mutations: { networkMode: 'always' } },
  mutationCache: new MutationCache({ onError: (error) => void renewOnUnauthorized(error) }),
  queryCache: new QueryCache({
    onError: (error, query) => {
      void renewOnUnauthorized(error).then((isRenewed) => isRenewed && query.fetch().catch(() => undefined))
    },
  }),
})

document.addEventListener('linnet-stream-refused', () => void checkToken())
void start()

/** Without an `await` of the module itself: the files of other pages import the file that contains it. */
async function start(): Promise<void> {
  try {
    const session = openSession()
    void session.then(openFirstTimeline, () => undefined)
    // Safari has no idle callbacks.
    if ('requestIdleCallback' in window) requestIdleCallback(prepareFormats)
    await Promise.all([session.then(openSettingsOfAccount), loadMessages('client')])
    createRoot(document.querySelector('#root')!).render(
      <StrictMode>
        <QueryClientProvider client={queryClient}>
          <RouterProvider router={router} />
        </QueryClientProvider>
      </StrictMode>,
    )
    await waitForFirstPosts()
    // Without them, the client only needs a network. Private windows of some browsers forbid both.
    await Promise.allSettled([
      import('./features/offline/service-worker-client.ts').then(({ startServiceWorker }) =>
        startServiceWorker({ open: (path) => router.history.push(path) }),
      ),
      import('./features/offline/send-queue.ts').then(({ startSendingQueue }) => startSendingQueue(queryClient)),
      keepPushes(),
    ])
  } catch (error) {
    if (error instanceof LogInRequiredError) return location.assign(logInPath())
    const starting = document.querySelector('#starting')
    if (!starting) throw error
    // The document has a link that tries again, which would otherwise appear later.
    starting.setAttribute('data-failed', '')
    console.error(error)
  }
}

/** Turns pushes on again that ended with a token, now or while the client was closed. */
async function keepPushes(): Promise<void> {
  if (!('Notification' in window) || Notification.permission !== 'granted') return
  const { renewPushes } = await import('./features/offline/push-subscription.ts')
  onRenewal(() => void renewPushes().catch(() => undefined))
  await renewPushes()
}

/** In a browser that the account has not used yet, the client starts with the preferences of the server's pages. */
async function openSettingsOfAccount(): Promise<void> {
  await openSettings(currentAccountId(), async () => {
    const isOfDocument = currentAccountId() === startData.accountId
    const preferences = isOfDocument ? startData.reading : await api().v1.preferences.fetch()
    return { media: preferences['reading:expand:media'], expandWarnings: preferences['reading:expand:spoilers'] }
  })
}

/** Requests the home timeline while the rest loads; not after a reload, since its rows must come after the page. */
function openFirstTimeline(): void {
  const isHome = location.pathname === '/' || location.pathname === '/home'
  if (isHome && !hasStoredPosition(timelineKey({ type: 'home' }))) void openTimeline({ type: 'home' })
}
