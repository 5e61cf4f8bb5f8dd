import { once } from 'node:events'
import { WebSocket } from 'ws'

/** A client that follows a home timeline: by a stream, and after each interruption by pages of the whole timeline. */
export interface HomeWatcher {
  /** The ids of all posts, received in either way. */
  readonly seen: ReadonlySet<string>
  /** The number of failed and closed sockets. */
  readonly breaks: number
  stop(): Promise<void>
}

const PAGE_SIZE = 40

export function watchHome({
  origin,
  token,
  waitUntilReady,
}: {
  origin: string
  token: string
  waitUntilReady(): Promise<void>
}): HomeWatcher {
  const seen = new Set<string>()
  let breaks = 0
  let stopped = false
  let socket: WebSocket | null = null

  /**
   * Reads the whole timeline: a post whose job was interrupted is added after newer ones, and the next kill may prevent
   * its event.
   */
  const catchUp = async () => {
    let cursor = '0'
    for (;;) {
      const url = `${origin}/api/v1/timelines/home?limit=${PAGE_SIZE}&min_id=${cursor}`
      const response = await fetch(url, { headers: { authorization: `Bearer ${token}` } })
      const page = (await response.json()) as { id: string }[]
      for (const { id } of page) seen.add(id)
      if (page.length === 0) return
      cursor = page[0]!.id
    }
  }

  const listen = async () => {
    await waitUntilReady()
    socket = new WebSocket(`${origin.replace('http', 'ws')}/api/v1/streaming?stream=user`, {
      headers: { authorization: `Bearer ${token}` },
    })
    const closed = new Promise<void>((resolve) => socket?.on('close', () => resolve()))
    // An error also closes the socket.
    socket.on('error', () => {})
    socket.on('message', (data: Buffer) => {
      const { event, payload } = JSON.parse(data.toString()) as { event: string; payload: string }
      if (event === 'update') seen.add((JSON.parse(payload) as { id: string }).id)
    })
    await Promise.race([once(socket, 'open'), closed])
    if (socket.readyState !== WebSocket.OPEN) return
    await catchUp()
    await closed
  }

  const watching = (async () => {
    while (!stopped) {
      await listen().catch(() => undefined)
      breaks += 1
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
  })()
  return {
    seen,
    get breaks() {
      return breaks
    },
    async stop() {
      stopped = true
      socket?.terminate()
      await watching
    },
  }
}
