{{- define "drover.image" -}}
{{- with .Values.image -}}
{{- .repository -}}
{{- if .digest }}@{{ .digest }}{{ else }}:{{ .tag | default $.Chart.AppVersion }}{{ end }}
{{- end -}}
{{- end }}

{{/* Takes besides: "args", a list; "ports", by name; "volumes", each with "name", "path" and "source". */}}
{{- define "drover.deployment" -}}
apiVersion: apps/v1
kind: Deployment
{{ include "drover.metadata" . }}
spec:
  replicas: {{ .values.replicas }}
  selector:
    matchLabels: {{- include "drover.selector" . | nindent 6 }}
  strategy:
    rollingUpdate: { maxSurge: 1, maxUnavailable: 0 }
  template:
    metadata:
      labels: {{- include "drover.labels" (merge (dict "moreLabels" .values.podLabels) .) | nindent 8 }}
      {{- with .values.podAnnotations }}
      annotations: {{- toYaml . | nindent 8 }}
      {{- end }}
    spec: {{- include "drover.podSpec" . | nindent 6 }}
{{- end }}

{{- define "drover.podSpec" -}}
serviceAccountName: drover-{{ .name }}
automountServiceAccountToken: true
enableServiceLinks: false
# The delay until nobody calls any more, and what requests in flight may take.
terminationGracePeriodSeconds: 30
securityContext:
  runAsNonRoot: true
  runAsUser: 65532
  runAsGroup: 65532
  {{- if .volumes }}
  fsGroup: 65532
  {{- end }}
  seccompProfile: { type: RuntimeDefault }
{{- with .root.Values.imagePullSecrets }}
imagePullSecrets: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .values.priorityClassName }}
priorityClassName: {{ . }}
{{- end }}
{{- with .values.nodeSelector }}
nodeSelector: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .values.tolerations }}
tolerations: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .values.affinity }}
affinity: {{- toYaml . | nindent 2 }}
{{- end }}
topologySpreadConstraints:
  - maxSkew: 1
    topologyKey: kubernetes.io/hostname
    whenUnsatisfiable: ScheduleAnyway
    labelSelector:
      matchLabels: {{- include "drover.selector" . | nindent 8 }}
containers:
  - name: drover
    image: {{ include "drover.image" .root }}
    imagePullPolicy: {{ .root.Values.image.pullPolicy }}
    args: {{- concat .args .values.extraArgs | toYaml | nindent 6 }}
    env:
      - name: POD_NAMESPACE
        valueFrom: { fieldRef: { fieldPath: metadata.namespace } }
      {{- with .values.extraEnv }}
      {{- toYaml . | nindent 6 }}
      {{- end }}
    ports:
      {{- range $name, $port := .ports }}
      - { name: {{ $name }}, containerPort: {{ $port }}, protocol: TCP }
      {{- end }}
    livenessProbe:
      httpGet: { path: /healthz, port: metrics }
      periodSeconds: 10
      failureThreshold: 6
    readinessProbe:
      httpGet: { path: /readyz, port: metrics }
      periodSeconds: 2
      failureThreshold: 2
    resources: {{- toYaml .values.resources | nindent 6 }}
    securityContext:
      allowPrivilegeEscalation: false
      capabilities: { drop: [ALL] }
      readOnlyRootFilesystem: true
    {{- with .volumes }}
    volumeMounts:
      {{- range . }}
      - { name: {{ .name }}, mountPath: {{ .path }}, readOnly: true }
      {{- end }}
    {{- end }}
{{- with .volumes }}
volumes:
  {{- range . }}
  - {{- merge (dict "name" .name) .source | toYaml | nindent 4 }}
  {{- end }}
{{- end }}
{{- end }}

{{- define "drover.budget" -}}
{{- if .root.Values.podDisruptionBudget.enabled -}}
apiVersion: policy/v1
kind: PodDisruptionBudget
{{ include "drover.metadata" . }}
spec:
  maxUnavailable: 1
  unhealthyPodEvictionPolicy: AlwaysAllow
  selector:
    matchLabels: {{- include "drover.selector" . | nindent 6 }}
{{- end }}
{{- end }}
