import { applyLoad } from './apply-load.ts'
import { startChild } from './child.ts'
import { cpuOf } from './processes.ts'
import type { Limit, Sample } from './row.ts'
import type { Stage } from './stage.ts'

/** Signatures at once: as many threads as deliveries find, with some in waiting. */
const SIGNERS = 8

/** A server that answers with as many bytes as the row, always the same. */
export const HTTP: Limit = {
  title: 'always the same bytes, node:http',
  measure: (stage, sample) => measureConstant(stage, { way: 'http', sample }),
}
export const FASTIFY: Limit = {
  title: 'always the same bytes, Fastify',
  measure: (stage, sample) => measureConstant(stage, { way: 'fastify', sample }),
}

async function measureConstant(
  stage: Stage,
  { way, sample: { bytes = 0 } }: { way: 'http' | 'fastify'; sample: Sample },
): Promise<Sample> {
  const port = stage.port + 1
  const child = startChild('constant.ts', [way, String(port), String(bytes)])
  try {
    await child.hear()
    const readCpu = () => ({ server: cpuOf(child.pid), database: 0 })
    // What does nothing is soon warm, and steady.
    const windowMs = stage.pace.windowMs / 2
    return await applyLoad(stage, { kind: 'requests', method: 'GET', port, paths: ['/'] }, { windowMs, readCpu })
  } finally {
    await child.end()
  }
}

/** Durable commits of one row each, by as many connections as the load has. */
export const COMMITS: Limit = {
  title: 'commits of one row',
  async measure(stage) {
    await stage.pool.query(
      'create table if not exists bench_commits (id bigint generated always as identity primary key, text text not null)',
    )
    return applyLoad(stage, { kind: 'commits', connection: stage.connection })
  },
}

/** RSA alone, in the load process. */
export const VERIFY: Limit = {
  title: 'RSA checks on one thread',
  measure: (stage) => measureSignatures(stage, { way: 'verify', connections: 1 }),
}
export const SIGN: Limit = {
  title: 'RSA signatures on all threads',
  measure: (stage) => measureSignatures(stage, { way: 'sign', connections: SIGNERS }),
}

async function measureSignatures(
  stage: Stage,
  { way, connections }: { way: 'sign' | 'verify'; connections: number },
): Promise<Sample> {
  const readCpu = () => ({ server: cpuOf(stage.load.pid), database: 0 })
  const windowMs = stage.pace.windowMs / 2
  const sample = await applyLoad(stage, { kind: 'signatures', way }, { connections, windowMs, readCpu })
  const { rate, p50, p99, serverUs, failures } = sample
  return { rate, p50, p99, serverUs, failures }
}
