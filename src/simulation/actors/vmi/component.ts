/** Who the events of virt-controller's VM, VMI and migration controllers come from. */
export const VIRT_CONTROLLER = 'virtualmachine-controller';
