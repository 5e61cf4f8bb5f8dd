import { canIsolateNetwork } from '../../../../platform/media/sandbox/confine-command.ts'
import { warning, ok } from './finding.ts'
import type { Finding } from './finding.ts'

/** Checks how the programs that read uploads and remote media are confined. */
export async function checkDecoders(): Promise<Finding[]> {
  return [await checkNetworkIsolation(), ...checkProcessUser()]
}

async function checkNetworkIsolation(): Promise<Finding> {
  if (await canIsolateNetwork()) return ok('media decoders run without network access')
  const text = 'media decoders have network access: user and network namespaces are unavailable'
  if (process.platform !== 'linux') return warning(text, 'only Linux has namespaces')
  return warning(
    text,
    'install util-linux and allow unshare: sysctl user.max_user_namespaces above 0, ' +
      'kernel.apparmor_restrict_unprivileged_userns=0, or the seccomp profile of the container; ' +
      "otherwise block access of the server's user to your private network with a firewall",
  )
}

function checkProcessUser(): Finding[] {
  if (process.getuid?.() !== 0) return []
  return [warning('media decoders run as root, like the server', 'run Linnet as an ordinary user')]
}
