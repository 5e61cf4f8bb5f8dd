import { chooseDocument } from './choose-document.ts'
import { showPush } from './show-push.ts'
import { openNotification } from './open-notification.ts'
import { configureNavigationPreload, preloadsDocuments } from './configure-navigation-preload.ts'

declare const self: ServiceWorkerGlobalScope
/** The files of this build, which the plugin in `vite.config.ts` writes here. */
declare const BUILD_FILES: readonly string[]
/** Changes with the files. */
declare const BUILD_ID: string
/** A regular expression for the paths of the client, which `bin/build-web.ts` writes here. */
declare const CLIENT_PAGES: string

const BUILD_CACHE_PREFIX = 'linnet-build-'
const BUILD_CACHE = `${BUILD_CACHE_PREFIX}${BUILD_ID}`
/** Also in `lib/offline-data.ts`. A user who logs out deletes it. */
const SHELL_CACHE = 'linnet-shell'
const SHELL_PATH = '/home'
/** After this time without a response, pages of the client open with what the browser has stored. */
const PATIENCE_MS = 5_000

const clientPages = new RegExp(CLIENT_PAGES)
const isClientPage = (pathname: string): boolean => clientPages.test(pathname)

self.addEventListener('install', (event) => {
  event.waitUntil(saveBuild())
})

self.addEventListener('activate', (event) => {
  event.waitUntil(Promise.all([deleteOldBuilds(), configureNavigationPreload(self.registration), self.clients.claim()]))
})

self.addEventListener('fetch', (event) => {
  const { request } = event
  const { origin, pathname } = new URL(request.url)
  if (origin !== self.location.origin) return
  // The session has ended, so the next user may be another one.
  if (request.mode === 'navigate' && /^\/auth\/sign_(in|out)$/.test(pathname))
    event.waitUntil(caches.delete(SHELL_CACHE))
  if (request.method !== 'GET') return
  if (pathname.startsWith('/web/assets/')) return event.respondWith(findBuildFile(event))
  if (request.mode !== 'navigate') return
  // If the worker leaves a page of the server to the browser, Chromium, which has already requested it, does so again:
  // codes of log-ins are valid for one request.
  if (isClientPage(pathname) || preloadsDocuments() || !navigator.onLine) event.respondWith(loadDocument(event))
})

self.addEventListener('push', (event) => {
  event.waitUntil(showPush(self.registration, event))
})

self.addEventListener('notificationclick', (event) => {
  event.notification.close()
  event.waitUntil(openNotification(self.clients, event, isClientPage))
})

async function saveBuild(): Promise<void> {
  const cache = await caches.open(BUILD_CACHE)
  await Promise.allSettled(BUILD_FILES.map((path) => cache.add(path)))
}

/** Runs when no window uses an older build any more. */
async function deleteOldBuilds(): Promise<void> {
  const names = await caches.keys()
  const old = names.filter((name) => name.startsWith(BUILD_CACHE_PREFIX) && name !== BUILD_CACHE)
  await Promise.all(old.map((name) => caches.delete(name)))
}

/** The names of files contain a hash of their content, so a cached one is never old. */
async function findBuildFile(event: FetchEvent): Promise<Response> {
  const { request } = event
  // The same file suits all requests: its responses vary by headers such as `Origin` that differ between elements.
  const cached = await caches.match(request, { ignoreVary: true })
  if (cached) return cached
  const response = await fetch(request)
  // Without space for it, the file is loaded again the next time.
  if (response.ok) event.waitUntil(saveFile(request, response.clone()).catch(() => undefined))
  return response
}

async function saveFile(request: Request, response: Response): Promise<void> {
  await (await caches.open(BUILD_CACHE)).put(request, response)
}

/** Loads a page from the server; without a response, the client, which then shows what it has stored. */
async function loadDocument(event: FetchEvent): Promise<Response> {
  const isClient = isClientPage(new URL(event.request.url).pathname)
  const response = requestDocument(event)
  // Other responses are not read, since they may be large files.
  if (isClient) event.waitUntil(response.then(async (one) => one.ok && saveShell(one.clone())).catch(() => undefined))
  return chooseDocument(response, {
    findSaved: async () => caches.match(SHELL_PATH, { cacheName: SHELL_CACHE }),
    patience: new Promise((resolve) => void (isClient && setTimeout(resolve, PATIENCE_MS))),
  })
}

async function requestDocument(event: FetchEvent): Promise<Response> {
  return ((await event.preloadResponse) as Response | undefined) ?? fetch(event.request)
}

/** Saves the document of the client, which is the same for all of its pages. It belongs to one account. */
async function saveShell(response: Response): Promise<void> {
  const { headers } = response
  const text = await response.text()
  if (!text.includes('id="start-data"')) return
  await (await caches.open(SHELL_CACHE)).put(SHELL_PATH, new Response(text, { headers }))
}
