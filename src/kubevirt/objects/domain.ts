/** The domain of a VMI: the machine that its guest sees. */
import { z } from 'zod';
import { flag, int, presence, quantity, resources, text } from './fields.ts';

const cpuSchema = z.object({
  sockets: int,
  cores: int,
  threads: int,
  maxSockets: int,
  model: text,
  dedicatedCpuPlacement: flag,
  realtime: presence,
  numa: z.object({ guestMappingPassthrough: presence }).optional(),
  features: z.array(z.object({ name: z.string(), policy: text })).optional(),
});

const enabledSchema = z.object({ enabled: flag }).optional();

export const domainSchema = z.object({
  cpu: cpuSchema.optional(),
  memory: z
    .object({ guest: quantity, maxGuest: quantity, hugepages: z.object({ pageSize: text }).optional() })
    .optional(),
  resources,
  machine: z.object({ type: text }).optional(),
  features: z
    .object({
      acpi: enabledSchema,
      hyperv: z.object({ reenlightenment: enabledSchema }).optional(),
      hypervPassthrough: enabledSchema,
    })
    .optional(),
  launchSecurity: z.object({ sev: presence, snp: presence, tdx: presence }).optional(),
  devices: z
    .object({
      autoattachGraphicsDevice: flag,
      gpus: z.array(z.object({ name: text, deviceName: text })).optional(),
      hostDevices: z.array(z.object({ name: text, deviceName: text })).optional(),
      disks: z
        .array(
          z.object({
            name: z.string(),
            cdrom: z.object({ readonly: flag }).optional(),
            lun: z.object({ reservation: flag }).optional(),
          }),
        )
        .optional(),
      filesystems: z.array(z.object({ name: z.string(), virtiofs: presence })).optional(),
      interfaces: z
        .array(
          z.object({
            name: z.string(),
            masquerade: presence,
            bridge: presence,
            passt: presence,
            passtBinding: presence,
            sriov: presence,
            binding: z.object({ name: text }).optional(),
            state: text,
          }),
        )
        .optional(),
    })
    .optional(),
});
