import type pg from 'pg'
import { collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import { within } from '../lib/within.ts'

interface RequestFacts {
  method: string
  /** As registered (`/api/v1/statuses/:id`), so that there are only so many. */
  route: string
  status: number
  seconds: number
}

/** What this process counts, for Prometheus. */
export interface Metrics {
  countRequest(facts: RequestFacts): void
  read(): Promise<{ contentType: string; text: string }>
}

/** Without an answer by then, the figures come without those of the jobs. */
const PATIENCE_SECONDS = 2

const JOB_STATES = ['waiting', 'running', 'retrying', 'dead', 'parked']

/** `countJobs` gives the number of jobs by state; asked at each reading. */
export function createMetrics({
  pool,
  countJobs,
}: { pool?: pg.Pool; countJobs?: () => Promise<Record<string, number>> } = {}): Metrics {
  const registry = new Registry()
  const requests = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Duration of HTTP requests by method, route and status class',
    labelNames: ['method', 'route', 'status'] as const,
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers: [],
  })
  const gauges = [...(pool ? gaugesOfPool(pool) : []), ...(countJobs ? [gaugeOfJobs(countJobs)] : [])]
  for (const metric of [requests, ...gauges]) registry.registerMetric(metric)
  let watchesProcess = false
  return {
    countRequest({ method, route, status, seconds }) {
      requests.observe({ method, route, status: `${Math.floor(status / 100)}xx` }, seconds)
    },
    async read() {
      // Only who reads them pays for them: they keep a fast timer running.
      if (!watchesProcess) collectDefaultMetrics({ register: registry })
      watchesProcess = true
      return { contentType: registry.contentType, text: await registry.metrics() }
    },
  }
}

function gaugesOfPool(pool: pg.Pool): Gauge[] {
  const connections = new Gauge({
    name: 'linnet_db_pool_connections',
    help: 'Database connections of this process by state',
    labelNames: ['state'] as const,
    registers: [],
    collect() {
      this.set({ state: 'idle' }, pool.idleCount)
      this.set({ state: 'busy' }, pool.totalCount - pool.idleCount)
    },
  })
  const waiting = new Gauge({
    name: 'linnet_db_pool_waiting',
    help: 'Callers waiting for a database connection',
    registers: [],
    collect() {
      this.set(pool.waitingCount)
    },
  })
  return [connections, waiting]
}

function gaugeOfJobs(countJobs: () => Promise<Record<string, number>>): Gauge {
  return new Gauge({
    name: 'linnet_jobs',
    help: 'Jobs of the whole installation by state',
    labelNames: ['state'] as const,
    registers: [],
    async collect() {
      const counts = await within(PATIENCE_SECONDS, countJobs()).catch(() => null)
      this.reset()
      if (counts) for (const state of JOB_STATES) this.set({ state }, counts[state] ?? 0)
    },
  })
}
