import { applyLoad } from './apply-load.ts'
import { startChild } from '../setup/start-child.ts'
import { cpuOf } from './process-stats.ts'
import type { Limit, Sample } from './row.ts'
import type { BenchStage } from '../setup/open-stage.ts'

/** Concurrent signatures: enough to occupy all threads of the pool. */
const SIGNERS = 8

/** A server that always sends the same bytes, as many as the responses of the row. */
export const HTTP: Limit = {
  title: 'always the same bytes, node:http',
  measure: (stage, sample) => measureConstant(stage, { serverKind: 'http', sample }),
}
export const FASTIFY: Limit = {
  title: 'always the same bytes, Fastify',
  measure: (stage, sample) => measureConstant(stage, { serverKind: 'fastify', sample }),
}

async function measureConstant(
  stage: BenchStage,
  { serverKind, sample: { bytes = 0 } }: { serverKind: 'http' | 'fastify'; sample: Sample },
): Promise<Sample> {
  const port = stage.port + 1
  const child = startChild('setup/constant-server.ts', [serverKind, String(port), String(bytes)])
  try {
    await child.receive()
    const readCpu = () => ({ server: cpuOf(child.pid), database: 0 })
    // A constant server is warm and steady after a short time.
    const windowMs = stage.pace.windowMs / 2
    return await applyLoad(stage, { kind: 'requests', method: 'GET', port, paths: ['/'] }, { windowMs, readCpu })
  } finally {
    await child.end()
  }
}

/** Durable commits of one row each, on all connections of the load. */
export const COMMITS: Limit = {
  title: 'commits of one row',
  async measure(stage) {
    await stage.pool.query(
      'create table if not exists bench_commits (id bigint generated always as identity primary key, text text not null)',
    )
    return applyLoad(stage, { kind: 'commits', connection: stage.connection })
  },
}

/** RSA operations only, in the load process. */
export const VERIFY: Limit = {
  title: 'RSA checks on one thread',
  measure: (stage) => measureSignatures(stage, { operation: 'verify', connections: 1 }),
}
export const SIGN: Limit = {
  title: 'RSA signatures on all threads',
  measure: (stage) => measureSignatures(stage, { operation: 'sign', connections: SIGNERS }),
}

async function measureSignatures(
  stage: BenchStage,
  { operation, connections }: { operation: 'sign' | 'verify'; connections: number },
): Promise<Sample> {
  const readCpu = () => ({ server: cpuOf(stage.load.pid), database: 0 })
  const windowMs = stage.pace.windowMs / 2
  const sample = await applyLoad(stage, { kind: 'signatures', operation }, { connections, windowMs, readCpu })
  const { rate, p50, p99, serverUs, failures } = sample
  return { rate, p50, p99, serverUs, failures }
}
