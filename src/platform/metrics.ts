import type pg from 'pg'
import { collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import { withTimeout } from '../lib/async/with-timeout.ts'

interface RequestMeasurement {
  method: string
  /** The registered pattern (`/api/v1/statuses/:id`), which limits the number of label values. */
  route: string
  status: number
  seconds: number
}

/** The Prometheus metrics of this process. */
export interface Metrics {
  observeRequest(measurement: RequestMeasurement): void
  read(): Promise<{ contentType: string; text: string }>
}

/** If the database does not respond within this time, the metrics omit the jobs. */
const JOB_COUNT_TIMEOUT_SECONDS = 2

const JOB_STATES = ['waiting', 'running', 'retrying', 'dead', 'parked']

/** `countJobs` returns the number of jobs by state. Called at each `read`. */
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
  const gauges = [...(pool ? createPoolGauges(pool) : []), ...(countJobs ? [createJobGauge(countJobs)] : [])]
  for (const metric of [requests, ...gauges]) registry.registerMetric(metric)
  let collectsProcessMetrics = false
  return {
    observeRequest({ method, route, status, seconds }) {
      requests.observe({ method, route, status: `${Math.floor(status / 100)}xx` }, seconds)
    },
    async read() {
      // Enabled at the first read, because these metrics run a frequent timer.
      if (!collectsProcessMetrics) collectDefaultMetrics({ register: registry })
      collectsProcessMetrics = true
      return { contentType: registry.contentType, text: await registry.metrics() }
    },
  }
}

function createPoolGauges(pool: pg.Pool): Gauge[] {
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

function createJobGauge(countJobs: () => Promise<Record<string, number>>): Gauge {
  return new Gauge({
    name: 'linnet_jobs',
    help: 'Jobs of the whole installation by state',
    labelNames: ['state'] as const,
    registers: [],
    async collect() {
      const counts = await withTimeout(JOB_COUNT_TIMEOUT_SECONDS, countJobs()).catch(() => null)
      this.reset()
      if (counts) for (const state of JOB_STATES) this.set({ state }, counts[state] ?? 0)
    },
  })
}
